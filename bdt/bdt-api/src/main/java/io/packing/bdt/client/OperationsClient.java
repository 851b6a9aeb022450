// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.Departure;
import io.packing.bdt.Evacuation;
import io.packing.bdt.MountStatus;
import io.packing.bdt.rpc.AcceptRequest;
import io.packing.bdt.rpc.DrainRequest;
import io.packing.bdt.rpc.EvacuateRequest;
import io.packing.bdt.rpc.HomesCodec;
import io.packing.bdt.rpc.MountsRequest;
import io.packing.bdt.rpc.OperationsCodec;
import io.packing.bdt.rpc.OperationsGrpc;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The calls of operators to a BDT master about all of its mounts. Thread-safe. */
public final class OperationsClient {
    private final MasterChannel master;

    OperationsClient(MasterChannel master) {
        this.master = master;
    }

    /** Returns the master's open mounts, in the order of their names. */
    public List<MountStatus> mounts() throws IOException {
        return master
                .call(
                        "list the mounts",
                        OperationsGrpc::newBlockingStub,
                        stub -> stub.mounts(MountsRequest.getDefaultInstance()))
                .getMountsList()
                .stream()
                .map(OperationsCodec::decode)
                .toList();
    }

    /**
     * Orders a worker to leave, and returns its progress. A repeated order is harmless.
     *
     * @param worker id, in each mount that has such a worker
     * @return the progress in each of these mounts, in the order of their names; empty: no mount has this worker
     */
    public List<Departure> drain(String worker) throws IOException {
        return master
                .call(
                        "drain a worker",
                        OperationsGrpc::newBlockingStub,
                        stub -> stub.drain(
                                DrainRequest.newBuilder().setWorker(worker).build()))
                .getDeparturesList()
                .stream()
                .map(OperationsCodec::decode)
                .toList();
    }

    /**
     * Goes on with a mount without the objects that a recovery could not read.
     *
     * @param mount its name, or the location of its store
     * @return the unread objects, for operators
     */
    public List<String> accept(String mount) throws IOException {
        return master.call(
                        "accept the losses of a recovery",
                        OperationsGrpc::newBlockingStub,
                        stub -> stub.accept(
                                AcceptRequest.newBuilder().setMount(mount).build()))
                .getUnreadList();
    }

    /**
     * Begins to bring the blobs of a mount to another store, and does not wait for the end. A repeated call tells the progress.
     *
     * @param mount its name
     * @param to options that lead to the new store
     * @param bytesPerSecond the most that the master copies; 0: no limit
     */
    public Evacuation evacuate(String mount, Map<String, String> to, long bytesPerSecond) throws IOException {
        return evacuate(EvacuateRequest.newBuilder()
                .setMount(mount)
                .putAllTo(to)
                .setBytesPerSecond(bytesPerSecond)
                .build());
    }

    /** Begins to bring the blobs of a mount back to the store that an evacuation brings them from. */
    public Evacuation abortEvacuation(String mount) throws IOException {
        return evacuate(
                EvacuateRequest.newBuilder().setMount(mount).setAbort(true).build());
    }

    private Evacuation evacuate(EvacuateRequest request) throws IOException {
        return HomesCodec.decode(
                master.call("evacuate a mount", OperationsGrpc::newBlockingStub, stub -> stub.evacuate(request))
                        .getEvacuation());
    }
}
