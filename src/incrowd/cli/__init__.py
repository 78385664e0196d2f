"""The command line, one file a command. It knows no model or solver by name.

``door``   the command's first step
``main``   the group of all commands
"""
