// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.bdt.DeniedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.Retry;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.TimeoutOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.read.Peers;
import io.packing.worker.read.StoredBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Bytes in blobs that a worker of the mount reads for this client. The client asks one worker, whose cache then knows
 * the files, until it does not answer. Thread-safe.
 */
final class WorkerReads implements StoredBytes {
    /** A question to the BDT master. */
    interface Listing {
        /** Returns the workers of the mount that count as alive. */
        List<WorkerInfo> live() throws IOException;
    }

    private final String mount;
    private final Listing listing;
    private final Writers order;
    private final Peers peers;
    private final Retry retry;
    private volatile Optional<String> current = Optional.empty();

    /**
     * Creates the reads of a mount.
     *
     * @param mount name of the mount at workers
     * @param order in which to ask workers
     * @param timeout the longest wait of a read while no worker answers
     */
    WorkerReads(
            String mount,
            Listing listing,
            Writers order,
            Peers peers,
            Duration timeout,
            LongSupplier nanoClock,
            Retry.Pause pause,
            RandomGenerator random) {
        this.mount = mount;
        this.listing = listing;
        this.order = order;
        this.peers = peers;
        this.retry = new Retry(WorkerReads::givenUp, timeout, nanoClock, pause, random);
    }

    private static String givenUp(String what, Duration timeout, String last) {
        return ("%s is in the store, and this client reads it through workers, but after %.1f s %s. Start a worker with this mount"
                        + " (packing worker), or check that it is reachable from here; %s says how long a restart is waited for, %s how"
                        + " long an answer is.")
                .formatted(
                        what,
                        timeout.toMillis() / 1e3,
                        last,
                        TimeoutOptions.WORKER.key(),
                        TimeoutOptions.READ_PEER.key());
    }

    @Override
    public Optional<ByteBuffer> read(FilePath path, FileVersion version, long offset, int length) throws IOException {
        return retry.call(path.value(), left -> anywhere(path, version, offset, length));
    }

    private Optional<ByteBuffer> anywhere(FilePath path, FileVersion version, long offset, int length)
            throws IOException {
        List<String> problems = new ArrayList<>();
        Set<String> asked = new LinkedHashSet<>();
        Optional<String> first = current;
        if (first.isPresent()) {
            Optional<ByteBuffer> bytes = at(first.get(), path, version, offset, length, problems);
            if (bytes.isPresent()) {
                return bytes;
            }
            asked.add(first.get());
        }
        for (String address : order.order(staying(), problems.isEmpty() ? Optional.empty() : first)) {
            if (asked.add(address)) {
                Optional<ByteBuffer> bytes = at(address, path, version, offset, length, problems);
                if (bytes.isPresent()) {
                    current = Optional.of(address);
                    return bytes;
                }
            }
        }
        if (asked.size() > problems.size()) {
            // A worker answered that the version is in no blob.
            return Optional.empty();
        }
        throw new UnavailableException(
                problems.isEmpty()
                        ? "the BDT master lists no live worker"
                        : "no live worker that the BDT master lists answers: " + String.join("; ", problems));
    }

    /** Returns the live workers without the leaving ones; all of them if all leave. */
    private List<WorkerInfo> staying() throws IOException {
        List<WorkerInfo> live = listing.live();
        List<WorkerInfo> staying =
                live.stream().filter(worker -> !worker.leaving()).toList();
        return staying.isEmpty() ? live : staying;
    }

    /**
     * Reads bytes at one worker; empty when the worker does not find them or does not answer, which also adds a
     * problem.
     */
    private Optional<ByteBuffer> at(
            String address, FilePath path, FileVersion version, long offset, int length, List<String> problems)
            throws IOException {
        try {
            return peers.readStored(address, mount, path, version, offset, length);
        } catch (UnavailableException e) {
            problems.add("%s: %s".formatted(address, e.getMessage()));
            return Optional.empty();
        } catch (CorruptBlobException | DeniedException e) {
            throw e;
        } catch (IOException e) {
            // The worker names the blob, and does not know the name of the file.
            throw new IOException("%s: %s".formatted(path, e.getMessage()), e);
        }
    }
}
