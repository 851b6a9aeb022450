// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.packing.bdt.rpc.AccessRequest;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.blob.FileVersion;
import io.packing.fuzz.calls.CallJudge;
import io.packing.fuzz.calls.CallMaker;
import io.packing.fuzz.calls.Rpc;
import io.packing.worker.rpc.ReadChunk;
import io.packing.worker.rpc.ReadRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A judge of the answers to a client without a role. Harm is secret bytes, names, times, limits and checksums, rights
 * of another user, and answers of methods that need a role.
 */
final class InsiderJudge implements CallJudge {
    /** The methods that every client with an identity may call. */
    private static final Set<String> OF_CLIENTS = Set.of(
            "packing.bdt.v1.Bdt/Open",
            "packing.bdt.v1.Bdt/Options",
            "packing.bdt.v1.Bdt/Stat",
            "packing.bdt.v1.Bdt/Locate",
            "packing.bdt.v1.Bdt/List",
            "packing.bdt.v1.Bdt/Find",
            "packing.bdt.v1.Bdt/Access",
            "packing.bdt.v1.Bdt/Mkdir",
            "packing.bdt.v1.Bdt/Delete",
            "packing.bdt.v1.Bdt/Rename",
            "packing.bdt.v1.Bdt/SetAttributes",
            "packing.bdt.v1.Bdt/Quota",
            // SetQuota refuses by itself: a superuser of the master's group has no role.
            "packing.bdt.v1.Bdt/SetQuota",
            "packing.bdt.v1.Bdt/Apply",
            "packing.bdt.v1.Bdt/Workers",
            "packing.bdt.v1.Bdt/Statistics",
            "packing.bdt.v1.Tokens/Issue",
            "packing.bdt.v1.Tokens/Renew",
            "packing.bdt.v1.Tokens/Cancel",
            "packing.bdt.v1.Tokens/Login",
            "grpc.health.v1.Health/Check",
            "grpc.health.v1.Health/Watch",
            "packing.worker.v1.Peer/Read",
            "packing.worker.v1.Peer/ReadStored",
            "packing.worker.v1.Peer/ReadBatch",
            "packing.worker.v1.Peer/Write",
            "packing.worker.v1.Peer/WriteLarge");

    /** The offset of the user in a token. */
    private static final int USER_AT = 30;

    private final HonestTree tree;
    private final Marks marks;
    private final Set<Long> numbers;
    private final Set<Integer> sums;
    private final Set<String> own;

    /**
     * Makes a judge.
     *
     * @param sums checksums that only places of closed files have
     * @param own the names of the caller
     */
    InsiderJudge(HonestTree tree, Marks marks, Set<Integer> sums, Set<String> own) {
        this.tree = tree;
        this.marks = marks;
        this.numbers = tree.numbers();
        this.sums = Set.copyOf(sums);
        this.own = Set.copyOf(own);
    }

    @Override
    public String harm(Rpc rpc, List<DynamicMessage> sent, CallMaker.Manner manner, CallMaker.End end) {
        Optional<String> leak = leak(end);
        if (leak.isPresent()) {
            return "%s tells a client without rights %s".formatted(rpc.name(), leak.get());
        }
        if (!OF_CLIENTS.contains(rpc.method().getFullMethodName())) {
            return refusal(rpc, manner, end);
        }
        String granted = granted(rpc, sent, end);
        return granted.isEmpty() ? CallJudge.ofCallers(rpc, sent, manner, end) : granted;
    }

    private static String refusal(Rpc rpc, CallMaker.Manner manner, CallMaker.End end) {
        Status.Code code = end.status().getCode();
        boolean refused = code == Status.Code.PERMISSION_DENIED
                || (code == Status.Code.CANCELLED && manner != CallMaker.Manner.ORDERLY);
        return refused && end.answers().isEmpty()
                ? ""
                : "%s answers a client without a role with %s: %s"
                        .formatted(rpc.name(), code, end.status().getDescription());
    }

    private Optional<String> leak(CallMaker.End end) {
        String texts = end.status().getDescription() + end.trailers();
        Optional<String> told = marks.in(texts.getBytes(StandardCharsets.ISO_8859_1));
        for (byte[] answer : end.answers()) {
            told = told.or(() -> marks.in(answer));
        }
        return told.map("the secret '%s'"::formatted);
    }

    /** Returns the parts of an answer that the caller has no right to. */
    private String granted(Rpc rpc, List<DynamicMessage> sent, CallMaker.End end) {
        if (end.answers().isEmpty() || sent.isEmpty()) {
            return "";
        }
        try {
            for (byte[] answer : end.answers()) {
                String number = number(DynamicMessage.parseFrom(rpc.output(), answer));
                if (!number.isEmpty()) {
                    return "%s tells a client without rights %s".formatted(rpc.name(), number);
                }
            }
            byte[] asked = sent.get(0).toByteArray();
            return switch (rpc.name()) {
                case "Access" -> access(AccessRequest.parseFrom(asked));
                case "Find" -> found(FindRequest.parseFrom(asked));
                case "Issue" -> issued(IssueTokenReply.parseFrom(end.answers().get(0)));
                case "Read", "ReadStored" -> read(ReadRequest.parseFrom(asked), end.answers());
                default -> "";
            };
        } catch (InvalidProtocolBufferException e) {
            return "%s answers what is no message: %s".formatted(rpc.name(), e);
        }
    }

    private String access(AccessRequest asked) {
        return asked.getUser().isEmpty() || own.contains(asked.getUser())
                ? ""
                : "Access tells a client the rights of '%s'".formatted(asked.getUser());
    }

    private String found(FindRequest asked) {
        return asked.hasUser() && !own.contains(asked.getUser().getName())
                ? "Find answers a client by the rights of '%s'"
                        .formatted(asked.getUser().getName())
                : "";
    }

    private String issued(IssueTokenReply reply) {
        byte[] token = Base64.getUrlDecoder().decode(reply.getToken());
        String user = new String(token, USER_AT + 1, token[USER_AT], StandardCharsets.UTF_8);
        return own.contains(user) ? "" : "Issue gives a client a token of '%s'".formatted(user);
    }

    /** Compares the bytes of an answer with the version's written ones: a few bytes have no mark. */
    private String read(ReadRequest asked, List<byte[]> answers) throws InvalidProtocolBufferException {
        Optional<byte[]> written = asked.getFileId() > 0 && asked.getGeneration() > 0
                ? tree.written(new FileVersion(asked.getFileId(), asked.getGeneration()))
                : Optional.empty();
        if (written.isEmpty()) {
            return "";
        }
        long at = asked.getOffset();
        for (byte[] answer : answers) {
            byte[] got = ReadChunk.parseFrom(answer).getData().toByteArray();
            for (byte each : got) {
                if (at >= 0 && at < written.get().length) {
                    byte secret = written.get()[(int) at];
                    if (secret != Marks.FILLER && each == secret) {
                        return "Read gives a client without rights a secret byte";
                    }
                }
                at++;
            }
        }
        return "";
    }

    private String number(Message message) {
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            List<?> values = field.getValue() instanceof List<?> many ? many : List.of(field.getValue());
            for (Object value : values) {
                String found = number(field.getKey(), value);
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return "";
    }

    private String number(FieldDescriptor field, Object value) {
        if (value instanceof Message inner) {
            return number(inner);
        }
        if (value instanceof Long number && numbers.contains(number)) {
            return "a secret number in " + field.getFullName();
        }
        boolean sum = field.getName().startsWith("crc32c") && value instanceof Integer number && sums.contains(number);
        return sum ? "the checksum of a closed file" : "";
    }
}
