"""What is open in the app: tables and networks, their policies, and work that goes on behind a page.

``work``           a piece of work in a thread: how far it is, how it ended, a wish to stop
``policy_files``   the files that a policy names, which must lie in its own private folder
``policy_text``    a policy's text with some settings changed: all other lines stay as they are
``column_values``  the values of columns, counted once over the table
``levels``         what the levels of a column's hierarchy show, and how many patterns a mask allows
``value_tree``     a tree of a column's values, as somebody groups them
``questions``      what is asked about columns, answered from those values and kept
``desk``           one open table: its source, its policy as text, its work
``network_desk``   one open network
``studio``         all of them, the root and the uploads
"""
