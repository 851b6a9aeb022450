// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.bdt.raft.group.MasterGroupEntry;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * An entry that this member proposes.
 *
 * @param content the bytes of the entry
 * @param writing runs just before this member changes rows of a table for it
 */
record Proposal(ByteString content, Runnable writing) implements Message {
    static final Message ACCEPTED = Message.valueOf(ByteString.copyFrom(new byte[] {1}));
    static final Message REFUSED = Message.valueOf(ByteString.copyFrom(new byte[] {0}));

    static Proposal of(MasterGroupEntry entry, Runnable writing) {
        return new Proposal(UnsafeByteOperations.unsafeWrap(entry.encode()), writing);
    }

    static boolean isAccepted(Message answer) {
        return answer.getContent().size() == 1 && answer.getContent().byteAt(0) == 1;
    }

    @Override
    public ByteString getContent() {
        return content;
    }
}
