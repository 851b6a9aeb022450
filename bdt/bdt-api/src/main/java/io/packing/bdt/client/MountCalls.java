package io.packing.bdt.client;

import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.MountNotOpenException;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import java.io.IOException;
import java.util.Map;
import java.util.function.BiFunction;

/** A mount at a master: makes calls that name it, and opens it again when the master has restarted. */
final class MountCalls {
    private final MasterChannel master;
    private final OpenRequest open;
    private volatile String id = "";
    private volatile String encryptionKey = "";

    private MountCalls(MasterChannel master, Map<String, String> options) {
        this.master = master;
        this.open = OpenRequest.newBuilder().putAllOptions(options).build();
    }

    static MountCalls open(MasterChannel master, Map<String, String> options) throws IOException {
        MountCalls mount = new MountCalls(master, options);
        mount.reopen();
        return mount;
    }

    void reopen() throws IOException {
        OpenReply reply = master.call("open", stub -> stub.open(open));
        id = reply.getMount();
        encryptionKey = reply.getEncryptionKey();
    }

    String encryptionKey() {
        return encryptionKey;
    }

    /** An identity for a mutation that may be sent twice; the master answers the second as the first. */
    long newRequest() {
        return master.retry().nextRequest();
    }

    String id() {
        return id;
    }

    MasterChannel master() {
        return master;
    }

    <T> T call(String what, BiFunction<BdtGrpc.BdtBlockingStub, String, T> call) throws IOException {
        for (int reopened = 0; ; reopened++) {
            try {
                return master.call(what, stub -> call.apply(stub, id));
            } catch (MountNotOpenException e) {
                if (reopened == 3) {
                    throw e;
                }
                reopen();
            }
        }
    }
}
