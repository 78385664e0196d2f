"""With BOTH_WAYS in the environment every loop that these tests call counts alike, compiled or not (`process/loops`)."""

import os

if os.environ.get("BOTH_WAYS"):
    from process.loops.both_ways import loops_go_both_ways as loops_go_both_ways
