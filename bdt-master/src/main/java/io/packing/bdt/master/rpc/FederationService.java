// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import com.google.protobuf.ByteString;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.MountEntry;
import io.packing.bdt.rpc.AssignReply;
import io.packing.bdt.rpc.AssignRequest;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.BeginMove;
import io.packing.bdt.rpc.ChangeReply;
import io.packing.bdt.rpc.ChangeRequest;
import io.packing.bdt.rpc.EndMove;
import io.packing.bdt.rpc.FederationCodec;
import io.packing.bdt.rpc.GroupMessage;
import io.packing.bdt.rpc.GroupTableReply;
import io.packing.bdt.rpc.GroupTableRequest;
import io.packing.bdt.rpc.GroupsGrpc;
import io.packing.bdt.rpc.MoveReply;
import io.packing.bdt.rpc.MoveRequest;
import io.packing.bdt.rpc.ReceiveReply;
import io.packing.bdt.rpc.ReceiveRequest;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import java.io.IOException;
import java.util.Optional;

/** The table of mounts and their moves, over gRPC. Translates only. */
public final class FederationService extends GroupsGrpc.GroupsImplBase {
    private final FederationCalls groups;
    private final ServerInterceptor calls;

    /** @param calls sees every call */
    public FederationService(FederationCalls groups, ServerInterceptor calls) {
        this.groups = groups;
        this.calls = calls;
    }

    ServerServiceDefinition service() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(this, calls), BdtLimits.LIMITS, StatusMapping::toStatus);
    }

    @Override
    public void table(GroupTableRequest request, StreamObserver<GroupTableReply> to) {
        Answers.answer(to, () -> {
            GroupTableReply.Builder reply = GroupTableReply.newBuilder();
            groups.groups()
                    .forEach((name, addresses) -> reply.addGroups(
                            GroupMessage.newBuilder().setName(name).setAddresses(addresses)));
            groups.table().forEach(entry -> reply.addMounts(FederationCodec.encode(entry)));
            return reply.build();
        });
    }

    @Override
    public void assign(AssignRequest r, StreamObserver<AssignReply> to) {
        Answers.answer(
                to,
                () -> AssignReply.newBuilder()
                        .setEntry(FederationCodec.encode(groups.assign(r.getStore(), r.getGroup())))
                        .build());
    }

    @Override
    public void move(MoveRequest r, StreamObserver<MoveReply> to) {
        Answers.answer(to, () -> FederationCodec.encode(groups.move(r.getMount(), r.getGroup(), r.getStart())));
    }

    @Override
    public void change(ChangeRequest r, StreamObserver<ChangeReply> to) {
        Answers.answer(to, () -> {
            Optional<MountEntry> expected =
                    r.hasExpected() ? Optional.of(FederationCodec.decode(r.getExpected())) : Optional.empty();
            Optional<MountEntry> next =
                    r.hasNext() ? Optional.of(FederationCodec.decode(r.getNext())) : Optional.empty();
            ChangeReply.Builder reply = ChangeReply.newBuilder();
            groups.change(r.getMount(), expected, next)
                    .ifPresent(entry -> reply.setEntry(FederationCodec.encode(entry)));
            return reply.build();
        });
    }

    @Override
    public void receive(ReceiveRequest r, StreamObserver<ReceiveReply> to) {
        Answers.answer(to, () -> received(r));
    }

    private ReceiveReply received(ReceiveRequest r) throws IOException {
        FederationCalls.Step step = new FederationCalls.Step(r.getMount(), r.getToken(), r.getSequence());
        FederationCalls.Incoming incoming = groups.incoming();
        switch (r.getStepCase()) {
            case BEGIN -> {
                BeginMove begin = r.getBegin();
                byte[] holder =
                        incoming.begin(step, begin.getOptionsMap(), begin.getIdentity(), begin.getEncryptionKey());
                return ReceiveReply.newBuilder()
                        .setHolder(ByteString.copyFrom(holder))
                        .build();
            }
            case ROWS -> incoming.rows(step, r.getRows().toByteArray());
            case END -> {
                EndMove end = r.getEnd();
                incoming.end(step, end.getPosition(), end.getComplete());
            }
            case OPEN -> incoming.open(step);
            default -> throw new IllegalArgumentException("a step of a move that this version does not know");
        }
        return ReceiveReply.getDefaultInstance();
    }
}
