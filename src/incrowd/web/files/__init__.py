"""What may be read: a file below the root, or one that was uploaded into a private folder.

``root``     paths below a folder, links out of it refused
``size``     what a file holds when it is unpacked, before anything unpacks it
``uploads``  what a browser sends, into a private folder that goes with the run
"""
