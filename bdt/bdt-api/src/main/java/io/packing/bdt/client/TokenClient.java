package io.packing.bdt.client;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.rpc.CancelTokenReply;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.bdt.rpc.IssueTokenRequest;
import io.packing.bdt.rpc.TokenKeysReply;
import io.packing.bdt.rpc.TokenKeysRequest;
import io.packing.bdt.rpc.TokenRequest;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.security.PublicKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** Gets tokens of a BDT master with TLS, renews and cancels them. Thread-safe. */
public final class TokenClient {
    private final MasterChannel master;

    TokenClient(MasterChannel master) {
        this.master = master;
    }

    /**
     * A new token.
     *
     * @param user for whom it speaks; empty: the caller. Only a superuser gets one for another
     * @param renewer who may renew and cancel it, beside the user; may be empty
     */
    public IssuedToken issue(String user, String renewer) throws IOException {
        IssueTokenReply reply = master.call(
                "issue a token",
                TokensGrpc::newBlockingStub,
                stub -> stub.issue(IssueTokenRequest.newBuilder()
                        .setUser(user)
                        .setRenewer(renewer)
                        .build()));
        return new IssuedToken(
                reply.getToken(),
                Instant.ofEpochMilli(reply.getEndMillis()),
                Instant.ofEpochMilli(reply.getRenewedUntilMillis()));
    }

    /** Until when it is valid now. */
    public Instant renew(String token) throws IOException {
        return Instant.ofEpochMilli(
                master.call("renew a token", TokensGrpc::newBlockingStub, stub -> stub.renew(request(token)))
                        .getRenewedUntilMillis());
    }

    /** From now on the master refuses it, and workers within seconds. */
    public void cancel(String token) throws IOException {
        CancelTokenReply unused =
                master.call("cancel a token", TokensGrpc::newBlockingStub, stub -> stub.cancel(request(token)));
    }

    /** What a worker needs to check tokens by itself. */
    public KeyRing keys() throws IOException {
        TokenKeysReply reply = master.call(
                "ask for the keys of tokens",
                TokensGrpc::newBlockingStub,
                stub -> stub.keys(TokenKeysRequest.getDefaultInstance()));
        Map<Integer, PublicKey> keys = new HashMap<>();
        reply.getKeysList()
                .forEach(key -> keys.put(
                        key.getId(), KeyRing.publicKey(key.getPublicKey().toByteArray())));
        return new KeyRing(keys, new HashSet<>(reply.getRefusedList()));
    }

    private static TokenRequest request(String token) {
        return TokenRequest.newBuilder().setToken(token).build();
    }
}
