// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.row.Reached;
import io.packing.bdt.master.upkeep.Upkeep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a mount whose master stops: it is backed up, takes nothing any more, and its lease says how far its table is. */
final class LastBackup {
    private static final Logger LOG = LoggerFactory.getLogger(LastBackup.class);

    private final String mount;
    private final Path folder;
    private final Table table;
    private final MountWriter writer;
    private final Upkeep upkeep;
    private final MountLease lease;

    LastBackup(String mount, Path folder, Table table, MountWriter writer, Upkeep upkeep, MountLease lease) {
        this.mount = mount;
        this.folder = folder;
        this.table = table;
        this.writer = writer;
        this.upkeep = upkeep;
        this.lease = lease;
    }

    /**
     * Uploads what a recovery would miss and releases the lease, for at most so long.
     *
     * @return what is left, for people; empty: nothing
     */
    Optional<String> run(long millis) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> end(done), "bdt-last-backup-" + mount);
        thread.setDaemon(true);
        thread.start();
        String why;
        try {
            boolean complete = done.get(millis, TimeUnit.MILLISECONDS);
            LOG.debug("mount {} backed up: {}", mount, complete);
            return Optional.empty();
        } catch (TimeoutException e) {
            why = "its store did not take it in %d ms".formatted(millis);
        } catch (ExecutionException e) {
            why = String.valueOf(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = "the stop was interrupted";
        }
        thread.interrupt();
        String left = left(why);
        LOG.warn("{}", left);
        return Optional.of(left);
    }

    private void end(CompletableFuture<Boolean> done) {
        try {
            upkeep.checkpoint();
            lease.stop();
            lease.release(Optional.of(standStill()));
            done.complete(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            done.completeExceptionally(e);
        } catch (IOException | RuntimeException | Error e) {
            done.completeExceptionally(e);
        }
    }

    /** Takes no more mutations, and returns how far the table is. */
    private Reached standStill() throws IOException, InterruptedException {
        writer.stop(new UnavailableException("the master is stopping"));
        writer.freeze();
        writer.thaw();
        return table.rows()
                .get(Counters.KEY)
                .map(Counters::decode)
                .orElseGet(Counters::new)
                .standing();
    }

    private String left(String why) {
        long position = table.position();
        long backedUp = upkeep.uploader().backedUpPosition();
        return position == backedUp
                ? "mount %s stops without giving its lease up (%s): another master has to wait for the end of it"
                        .formatted(mount, why)
                : ("mount %s stops without a last backup (%s). Its table in %s is complete, and the next start with"
                                + " this data directory goes on with it; the store lacks %d changes since position %d")
                        .formatted(mount, why, folder, position - backedUp, backedUp);
    }
}
