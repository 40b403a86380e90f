"""Print the path of the oracle, built if need be: ``python -m tests.oracle``."""

from tests.surroundings import oracle

if __name__ == "__main__":
    print(oracle())
