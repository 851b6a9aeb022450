package io.packing.bdt.client;

import com.google.common.net.HostAndPort;
import com.google.protobuf.ByteString;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.rpc.CancelTokenReply;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.bdt.rpc.IssueTokenRequest;
import io.packing.bdt.rpc.LoginReply;
import io.packing.bdt.rpc.LoginRequest;
import io.packing.bdt.rpc.TokenKeysReply;
import io.packing.bdt.rpc.TokenKeysRequest;
import io.packing.bdt.rpc.TokenRequest;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PublicKey;
import java.time.Duration;
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

    /** Makes the first message of a GSS-API context by Kerberos, which is good for one login. */
    public interface Tickets {
        /**
         * A new one.
         *
         * @param host by which the master is called
         */
        byte[] ticket(String host) throws IOException;
    }

    /**
     * A token for this process.
     *
     * @param user for whom it acts; empty: for nobody else
     */
    public Login login(Tickets tickets, String user) throws IOException {
        LoginReply reply = login(tickets, LoginRequest.newBuilder().setUser(user));
        return new Login(reply.getToken(), Duration.ofMillis(reply.getValidMillis()));
    }

    /** A token for a job, as {@link #issue} gives one for a certificate. */
    public IssuedToken issue(Tickets tickets, String user, String renewer) throws IOException {
        LoginReply reply = login(
                tickets,
                LoginRequest.newBuilder().setUser(user).setDelegation(true).setRenewer(renewer));
        return new IssuedToken(
                reply.getToken(),
                Instant.ofEpochMilli(reply.getEndMillis()),
                Instant.ofEpochMilli(reply.getRenewedUntilMillis()));
    }

    private LoginReply login(Tickets tickets, LoginRequest.Builder request) throws IOException {
        try {
            return master.call("log in by Kerberos", TokensGrpc::newBlockingStub, stub -> {
                // Of the master that is asked now: each has a principal of its own, and each try needs another ticket.
                String host =
                        HostAndPort.fromString(stub.getChannel().authority()).getHost();
                return stub.login(request.setTicket(ticket(tickets, host)).build());
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ByteString ticket(Tickets tickets, String host) {
        try {
            return ByteString.copyFrom(tickets.ticket(host));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A login that succeeded.
     *
     * @param token whoever has it may use it
     * @param valid for how long from then on
     */
    public record Login(String token, Duration valid) {
        /** Without the token itself, so that no log has it. */
        @Override
        public String toString() {
            return "a login that is good for %s".formatted(valid);
        }
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
