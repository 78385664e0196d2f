"""What is open in the app: tables and networks, their policies, and work that goes on behind a page.

``work``           a piece of work in a thread: how far it is, how it ended, a wish to stop
``questions``      what is asked about columns, answered from those values and kept
``session``           one open table: its source, its policy as text, its work
``sessions``         all of them, the root and the uploads
"""
