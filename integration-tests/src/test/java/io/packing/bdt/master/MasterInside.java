// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionRow;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A master in the process of a test, which can end as a crash would. */
public final class MasterInside {
    private final BdtMaster master;

    public MasterInside(BdtMaster master) {
        this.master = master;
    }

    /** Ends the master as a crash would. */
    public void kill() {
        master.kill();
    }

    /** Returns the problems of all mounts, as health and {@code packing mounts} report them. */
    public Optional<String> problem() {
        String all = master.mounts().stream()
                .flatMap(mount -> mount.problem().stream())
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /** Uploads the journals of all mounts, as the upkeep does in its interval. */
    public void uploadJournals() throws IOException {
        for (Mount mount : master.mounts()) {
            mount.upkeep().uploadJournalNow();
        }
    }

    /**
     * Returns whether each of these workers is in touch with this master, and has named the files that it buffers since
     * the newest recovery of the table.
     */
    public boolean hasHeardOf(Set<String> workers) throws IOException {
        for (Mount mount : master.mounts()) {
            Table table = mount.table();
            Set<String> heard = new HashSet<>();
            table.workers().forEach(each -> heard.add(each.worker()));
            long recoveredAt = Recoveries.load(table.rows()).newestAt();
            Set<String> named = new HashSet<>();
            table.rows().scan(Keys.kind(Keys.WORKER), Keys.kindEnd(Keys.WORKER), (key, row) -> {
                SessionRow session = SessionRow.decode(Keys.name(key), row);
                if (session.floor() == session.sessionEpoch() && session.sessionEpoch() > recoveredAt) {
                    named.add(session.worker());
                }
                return true;
            });
            if (!heard.containsAll(workers) || !named.containsAll(workers)) {
                return false;
            }
        }
        return true;
    }

    /** Accepts the losses of a recovery, as {@code packing mounts accept} does. */
    public void accept() throws IOException {
        for (Mount mount : master.mounts()) {
            if (mount.acceptLosses().isEmpty()) {
                throw new IllegalStateException("%s has nothing to accept".formatted(mount.id()));
            }
        }
    }
}
