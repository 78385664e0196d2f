"""What runs that were killed leave behind: told apart from what belongs to running ones, finished or removed.

``held_locks``      a lock that its run holds for as long as it lives; who can take it knows that the run is dead
``journal``         which staged files are about to take which places, so that others can finish what was begun
``leftovers``       the folders that a run stages in, cleared of what dead runs left there
``open_runs``       what the runs of this process hold, all of it removed where the process must end at once
``private_folder``  the folder of a run for its own files, and those of dead runs removed
"""
