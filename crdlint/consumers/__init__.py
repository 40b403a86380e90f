"""The tools that read status: what each of them makes of an object."""
