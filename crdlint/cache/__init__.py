"""What earlier runs found, so that a file that has not changed need not be checked again.

`pack` keeps entries on the disk, `entry` is what one says, `keys` says which question an entry answers, `results` puts
them together for a run. Entries are data, and are never trusted: whatever is wrong with one makes it a miss.
"""
