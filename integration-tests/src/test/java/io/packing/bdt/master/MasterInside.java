package io.packing.bdt.master;

import java.io.IOException;
import java.util.Optional;
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

    /** Accepts the losses of a recovery, as {@code packing mounts accept} does. */
    public void accept() throws IOException {
        for (Mount mount : master.mounts()) {
            if (mount.acceptLosses().isEmpty()) {
                throw new IllegalStateException("%s has nothing to accept".formatted(mount.id()));
            }
        }
    }
}
