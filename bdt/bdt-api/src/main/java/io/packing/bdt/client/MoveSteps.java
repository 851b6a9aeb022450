// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.protobuf.ByteString;
import io.packing.bdt.rpc.BeginMove;
import io.packing.bdt.rpc.EndMove;
import io.packing.bdt.rpc.OpenMoved;
import io.packing.bdt.rpc.ReceiveReply;
import io.packing.bdt.rpc.ReceiveRequest;
import java.io.IOException;
import java.util.Map;

/** The steps of one move of a mount, as sent to the group that gets it: one after the other. Confined to one thread. */
public final class MoveSteps {
    /** The group that gets the mount. */
    interface Receiver {
        ReceiveReply receive(ReceiveRequest step) throws IOException;
    }

    private final Receiver to;
    private final String mount;
    private final long token;
    private long sequence;

    MoveSteps(Receiver to, String mount, long token) {
        this.to = to;
        this.mount = mount;
        this.token = token;
    }

    /**
     * Begins the move.
     *
     * @param options of the mount
     * @param identity of its store
     * @param encryptionKey name of its key; empty without encryption
     * @return the holder to write into the lease epoch after the switch
     */
    public byte[] begin(Map<String, String> options, String identity, String encryptionKey) throws IOException {
        BeginMove begin = BeginMove.newBuilder()
                .putAllOptions(options)
                .setIdentity(identity)
                .setEncryptionKey(encryptionKey)
                .build();
        return send(step().setBegin(begin)).getHolder().toByteArray();
    }

    /** Sends rows, in the form of the log. */
    public void rows(byte[] rows) throws IOException {
        ReceiveReply unused = send(step().setRows(ByteString.copyFrom(rows)));
    }

    /** Makes the other group's rows durable. */
    public void sync() throws IOException {
        ReceiveReply unused = send(step().setEnd(EndMove.getDefaultInstance()));
    }

    /** Makes the rows durable, which are all up to a position. */
    public void end(long position) throws IOException {
        ReceiveReply unused =
                send(step().setEnd(EndMove.newBuilder().setPosition(position).setComplete(true)));
    }

    /** Lets the other group open the mount, which it owns now. */
    public void open() throws IOException {
        ReceiveReply unused = send(step().setOpen(OpenMoved.getDefaultInstance()));
    }

    private ReceiveRequest.Builder step() {
        return ReceiveRequest.newBuilder().setMount(mount).setToken(token).setSequence(++sequence);
    }

    private ReceiveReply send(ReceiveRequest.Builder step) throws IOException {
        return to.receive(step.build());
    }
}
