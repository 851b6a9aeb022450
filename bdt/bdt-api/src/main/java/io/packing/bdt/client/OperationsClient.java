package io.packing.bdt.client;

import io.packing.bdt.MountStatus;
import io.packing.bdt.rpc.MountsRequest;
import io.packing.bdt.rpc.OperationsCodec;
import io.packing.bdt.rpc.OperationsGrpc;
import java.io.IOException;
import java.util.List;

/** What operators ask a BDT master about all of its mounts. Thread-safe. */
public final class OperationsClient {
    private final MasterChannel master;

    OperationsClient(MasterChannel master) {
        this.master = master;
    }

    /** The mounts that the master has open, in the order of their names. */
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
}
