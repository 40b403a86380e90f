from crdlint.cli import main

main()
