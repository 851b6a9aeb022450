/** What members of a group agree on, and what each of them makes of it: entries, tables, checkpoints, the lease. It knows nothing of how they agree. */
@NullMarked
package io.packing.bdt.raft.group;

import org.jspecify.annotations.NullMarked;
