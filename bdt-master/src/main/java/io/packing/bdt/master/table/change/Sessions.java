// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.FencedException;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The latest session of each worker as the store has it, kept in memory: every claim and heartbeat asks for one, and workers
 * are few. Thread-safe.
 */
public final class Sessions {
    private final Map<String, SessionRow> latest = new ConcurrentHashMap<>();
    private volatile Recoveries recoveries;
    /** A gap in which a worker's number was found, until the table says so itself. */
    private volatile Optional<Recovered> proven = Optional.empty();

    private Sessions(Recoveries recoveries) {
        this.recoveries = recoveries;
    }

    /** Those of a store. From then on it must learn what is written: {@link #written}. */
    static Sessions load(Rows rows) throws IOException {
        Sessions sessions = new Sessions(Recoveries.load(rows));
        rows.scan(Keys.kind(Keys.WORKER), Keys.kindEnd(Keys.WORKER), (key, value) -> {
            sessions.written(key, Optional.of(value));
            return true;
        });
        return sessions;
    }

    /** The recoveries of the table; sessions from before the newest are unknown. */
    public Recoveries recoveries() {
        return recoveries;
    }

    public Collection<SessionRow> all() {
        return latest.values();
    }

    public Optional<SessionRow> of(String worker) {
        return Optional.ofNullable(latest.get(worker));
    }

    /** Learns of a row that the store has from now on, whatever its kind. */
    void written(byte[] key, Optional<byte[]> row) {
        if (key[0] == Keys.WORKER && row.isPresent()) {
            String worker = Keys.name(key);
            latest.put(worker, SessionRow.decode(worker, row.get()));
        } else if (key[0] == Keys.META
                && row.isPresent()
                && (Arrays.equals(key, Recoveries.KEY) || Arrays.equals(key, Recoveries.GAPS))) {
            recoveries = recoveries.changed(key, row.get());
        }
    }

    /** The gap that a worker's number has shown to be an older copy's. */
    public Optional<Recovered> proven() {
        return proven;
    }

    /**
     * Learns of a position that a worker was answered.
     *
     * @throws SessionExpiredException when this table never gave it out, and another timeline of it may have
     */
    public void witness(String worker, long position) throws SessionExpiredException {
        Optional<Recovered> gap = recoveries.gapAt(position);
        if (gap.isPresent()) {
            proven = gap;
            throw new SessionExpiredException(
                    "worker %s was answered position %d, and this table, an older copy then, goes from %d to %d; register again and reclaim"
                            .formatted(
                                    worker,
                                    position,
                                    gap.get().backup(),
                                    gap.get().at()));
        }
    }

    /**
     * Refuses a session that is not its worker's latest.
     *
     * @param known the latest that whoever asks knows of
     */
    public SessionRow check(SessionId session, Optional<SessionRow> known) throws IOException {
        String worker = session.worker();
        long epoch = session.sessionEpoch();
        if (known.isPresent() && known.get().sessionEpoch() == epoch && epoch > recoveries.newestAt()) {
            return known.get();
        }
        if (known.isPresent() && known.get().sessionEpoch() > epoch) {
            throw new FencedException("worker %s: session %d was replaced by session %d"
                    .formatted(worker, epoch, known.get().sessionEpoch()));
        }
        witness(worker, epoch);
        throw new SessionExpiredException(
                "worker %s: session %d is from before the recovery at %d; register again and reclaim"
                        .formatted(worker, epoch, recoveries.newestAt()));
    }
}
