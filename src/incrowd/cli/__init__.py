"""The command line. It knows no model or solver by name.

``entry_point``         the command's first step and its last
``main``         the group of all commands, and the run of one
``commands``     one file a command; none knows another
``options``      options from settings, and a job from options
``progress``     progress on standard error, and what Ctrl-C does to a search
``bar``          what a search has reached so far: a bar on a terminal, or a line a stage
``signals``      Ctrl-C, SIGTERM and SIGHUP
``exit_status``  what went wrong, in one sentence, and the exit status it has
"""
