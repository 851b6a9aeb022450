// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.simulation.schedule.Schedule;
import io.packing.transport.AccessControl;
import io.packing.transport.Security;
import io.packing.worker.PackingWorker;
import io.packing.worker.WorkerPlatform;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.buffer.Scheduling;
import io.packing.worker.read.Peers;
import io.packing.worker.read.ReadCaches;
import io.packing.worker.rpc.PeerNetwork;
import io.packing.worker.rpc.PeerServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** The node of a worker, with one mount, and its place in the network of workers. */
final class WorkerNode {
    private final SimulatedNode node;
    private final SimulatedNetwork network;
    private final MasterNode master;
    private final StoreNode stores;
    private final Schedule schedule;
    private final Map<String, WorkerNode> workers;
    private final StepRecords steps;
    private Optional<PeerServer.Served> served = Optional.empty();
    private Optional<PackingFileSystem> mount = Optional.empty();
    private Optional<PackingWorker> process = Optional.empty();
    private final UnforcedNotes notes = new UnforcedNotes();

    /** @param workers all of the cluster by their addresses, to which this one adds itself */
    WorkerNode(
            SimulatedNode node,
            SimulatedNetwork network,
            MasterNode master,
            StoreNode stores,
            Schedule schedule,
            Map<String, WorkerNode> workers,
            StepRecords steps) {
        this.steps = steps;
        this.node = node;
        this.network = network;
        this.master = master;
        this.stores = stores;
        this.schedule = schedule;
        this.workers = workers;
        workers.put(node.name() + ":1", this);
    }

    SimulatedNode node() {
        return node;
    }

    /** Starts the worker's process and opens its mount, on a thread of its node. */
    void start(MountOptions options) throws IOException {
        PackingWorker worker = PackingWorker.start(
                new WorkerOptions(node.name(), node.root().resolve("buffer"), node.name(), 1),
                master.from(node),
                (store, listener) -> stores.seenBy(node),
                new WorkerPlatform(
                        Clock.systemUTC(),
                        System::nanoTime,
                        () -> schedule.random().nextInt(),
                        new Scheduling(
                                () -> LockSupport.parkNanos(1),
                                LockSupport::parkNanos,
                                System::nanoTime,
                                Path.of("/nothing")),
                        new ReadCaches(),
                        file -> node.name(),
                        (directory, config) -> node.table(directory),
                        new SimulatedPeers()),
                new SimpleMeterRegistry());
        try {
            mount = Optional.of(worker.open(options));
            process = Optional.of(worker);
            notes.started();
            schedule.conditions().changed();
        } catch (IOException | RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    /** Notes that the process has ended, perhaps with the power of its machine. */
    void ended(boolean power) {
        notes.ended(schedule.nanos(), power);
        steps.workerEnded(node.name());
        served = Optional.empty();
        mount = Optional.empty();
        process = Optional.empty();
    }

    /** Stops the worker's process in order, on a thread of its node. */
    void stop() throws IOException {
        Optional<PackingWorker> stopping = process;
        process = Optional.empty();
        mount = Optional.empty();
        if (stopping.isPresent()) {
            stopping.get().close();
        }
    }

    /** Notes that this worker has answered a write. */
    void answered(NameHistory history, int state) {
        notes.answered(history, state, schedule.nanos());
    }

    /** Returns true if the present process has opened its mount. */
    boolean isServing() {
        return mount.isPresent();
    }

    PackingFileSystem mount() throws UnavailableException {
        return mount.orElseThrow(() -> new UnavailableException(node.name() + " has not started"));
    }

    private PeerServer.Served served() throws UnavailableException {
        return served.orElseThrow(() -> new UnavailableException(node.name() + " does not serve"));
    }

    /** The network of this worker to others. */
    private final class SimulatedPeers implements PeerNetwork {
        @Override
        public Server serve(String host, int port, PeerServer.Served files, AccessControl access) {
            served = Optional.of(files);
            return new Server() {
                @Override
                public int port() {
                    return port;
                }

                @Override
                public void close() {
                    served = Optional.empty();
                }
            };
        }

        @Override
        public Client client(Security security) {
            return new Client() {
                @Override
                public Peers reading(Duration timeout) {
                    return new Calls();
                }

                @Override
                public void close() {
                    // It has no connections.
                }
            };
        }
    }

    private final class Calls implements Peers {
        private WorkerNode at(String address) throws UnavailableException {
            WorkerNode found = workers.get(address);
            if (found == null) {
                throw new UnavailableException("no worker at " + address);
            }
            return found;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<ByteBuffer> read(
                String address, String of, FilePath path, FileVersion version, long offset, int length)
                throws IOException {
            WorkerNode peer = at(address);
            return (Optional<ByteBuffer>) Objects.requireNonNull(
                    network.call(node, peer.node, () -> peer.served().read(of, version, offset, length)));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<ByteBuffer> readStored(
                String address, String of, FilePath path, FileVersion version, long offset, int length)
                throws IOException {
            WorkerNode peer = at(address);
            return (Optional<ByteBuffer>) Objects.requireNonNull(
                    network.call(node, peer.node, () -> peer.served().readStored(of, version, offset, length)));
        }

        @Override
        public void flush(String address, String of) throws IOException {
            WorkerNode peer = at(address);
            Object unused = network.call(node, peer.node, () -> {
                peer.served().flush(of);
                return true;
            });
        }
    }
}
