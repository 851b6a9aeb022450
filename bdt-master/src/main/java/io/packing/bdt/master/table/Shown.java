package io.packing.bdt.master.table;

import java.util.List;
import java.util.Optional;

/**
 * Whose an entry is, of all that a directory shows.
 *
 * @param isInherited whether a clone has it from its origin, or it is of the past
 * @param cloneId the clone that has it from its origin, by its id; 0: none, or one that an older version made
 */
record Shown(boolean isInherited, long cloneId) {
    /** The directory's own. */
    static final Shown OWN = new Shown(false, 0);

    static Shown of(Optional<Snapshot> snapshot, List<Passage> passages) {
        if (snapshot.isEmpty() || passages.isEmpty()) {
            return new Shown(snapshot.isPresent(), 0);
        }
        Passage last = passages.get(passages.size() - 1);
        return new Shown(true, last.isPresent() ? last.cloneId() : 0);
    }
}
