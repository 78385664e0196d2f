"""Ctrl-C, SIGTERM and SIGHUP: ``handlers`` that end a run, ``thread`` that ends the process where they are not heard.

Nothing is imported here: `thread` is there before the rest of the program is loaded.
"""
