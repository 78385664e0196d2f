"""Every loop that these tests call counts alike, compiled or not."""

from process.loops.both_ways import loops_go_both_ways as loops_go_both_ways
