// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import java.time.Duration;
import java.util.Optional;

/** The translation of the table of mounts and the moves to messages and back. */
public final class FederationCodec {
    private FederationCodec() {}

    public static MountEntryMessage encode(MountEntry entry) {
        return MountEntryMessage.newBuilder()
                .setMount(entry.mount())
                .setStore(entry.store())
                .setGroup(entry.group())
                .setTarget(entry.target())
                .setHolder(entry.holder())
                .setToken(entry.token())
                .build();
    }

    public static MountEntry decode(MountEntryMessage m) {
        return new MountEntry(m.getMount(), m.getStore(), m.getGroup(), m.getTarget(), m.getHolder(), m.getToken());
    }

    public static ChangeRequest change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next) {
        ChangeRequest.Builder message = ChangeRequest.newBuilder().setMount(mount);
        expected.ifPresent(entry -> message.setExpected(encode(entry)));
        next.ifPresent(entry -> message.setNext(encode(entry)));
        return message.build();
    }

    public static MoveReply encode(MoveProgress progress) {
        return MoveReply.newBuilder()
                .setState(
                        switch (progress.state()) {
                            case COPYING -> MoveReply.State.COPYING;
                            case SWITCHING -> MoveReply.State.SWITCHING;
                            case DONE -> MoveReply.State.DONE;
                            case UNDONE -> MoveReply.State.UNDONE;
                        })
                .setGroup(progress.group())
                .setRows(progress.rows())
                .setBytes(progress.bytes())
                .setMillis(progress.time().toMillis())
                .setFrozenMillis(progress.frozen().toMillis())
                .setProblem(progress.problem())
                .build();
    }

    /** Decodes the progress of a move; an unknown state of a newer version counts as copying. */
    public static MoveProgress decode(MoveReply m) {
        MoveProgress.State state = switch (m.getState()) {
            case SWITCHING -> MoveProgress.State.SWITCHING;
            case DONE -> MoveProgress.State.DONE;
            case UNDONE -> MoveProgress.State.UNDONE;
            default -> MoveProgress.State.COPYING;
        };
        return new MoveProgress(
                state,
                m.getGroup(),
                m.getRows(),
                m.getBytes(),
                Duration.ofMillis(m.getMillis()),
                Duration.ofMillis(m.getFrozenMillis()),
                m.getProblem());
    }
}
