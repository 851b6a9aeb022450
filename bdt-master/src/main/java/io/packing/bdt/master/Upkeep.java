package io.packing.bdt.master;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a mount does in the background: removes deleted trees, uploads backups, deletes dead blobs and compacts sparse
 * ones. Steppable. */
final class Upkeep implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    private final String mount;
    private final Reaper reaper;
    private final HistoryLimit history;
    private final Uploader uploader;
    private final GarbageCollector collector;
    private final Compactor compactor;

    Upkeep(
            String mount,
            Reaper reaper,
            HistoryLimit history,
            Uploader uploader,
            GarbageCollector collector,
            Compactor compactor) {
        this.mount = mount;
        this.reaper = reaper;
        this.history = history;
        this.uploader = uploader;
        this.collector = collector;
        this.compactor = compactor;
    }

    /** Does a bounded piece of work; returns whether there was any. */
    boolean step() {
        boolean worked = false;
        try {
            worked = reaper.step();
            worked |= history.step();
            worked |= uploader.step();
            worked |= collector.step();
            worked |= compactor.step();
        } catch (IOException | RuntimeException e) {
            // The next step tries again: what is to be done stands in the table.
            log.warn("mount {}: background work failed and will be repeated: {}", mount, e.toString());
        }
        return worked;
    }

    /** Uploads now what a recovery would miss. */
    void checkpoint() throws IOException {
        uploader.checkpoint();
    }

    /** Uploads the journal now, if there is anything in it. */
    void uploadJournalNow() throws IOException {
        uploader.uploadJournalNow();
    }

    Reaper reaper() {
        return reaper;
    }

    Uploader uploader() {
        return uploader;
    }

    @Override
    public void close() {
        uploader.close();
    }
}
