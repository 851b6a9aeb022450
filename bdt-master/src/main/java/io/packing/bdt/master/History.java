package io.packing.bdt.master;

import io.packing.bdt.Reclaim;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/** The journal entries that a recovery replayed: what became of paths that were claimed before. */
final class History {
    private final Table table;

    History(Table table) {
        this.table = table;
    }

    /** The path of a claimed file after the renames that followed; empty when it was deleted. */
    Optional<FilePath> whereIs(Reclaim file) throws IOException {
        long id = file.version().id();
        // Of a claim without a known position only what names its own id is known to have come later.
        long generation = file.version().generation();
        FilePath[] path = {file.path()};
        boolean[] deleted = new boolean[1];
        table.rows().scan(Keys.numbered(Keys.HISTORY, generation), Keys.kindEnd(Keys.HISTORY), (key, value) -> {
            JournalEntry entry = JournalEntry.decode(value);
            if (entry instanceof JournalEntry.Deleted d) {
                deleted[0] = d.id() == id || (generation > 0 && d.path().contains(path[0]));
            } else if (entry instanceof JournalEntry.Renamed r && (r.id() == id || generation > 0)) {
                path[0] = moved(path[0], r);
            }
            return !deleted[0];
        });
        return deleted[0] ? Optional.empty() : Optional.of(path[0]);
    }

    private static FilePath moved(FilePath path, JournalEntry.Renamed rename) {
        if (!rename.from().contains(path)) {
            return path;
        }
        return new FilePath(rename.to().value()
                + path.value().substring(rename.from().value().length()));
    }
}
