// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.common.net.HostAndPort;
import com.google.protobuf.ByteString;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.MasterGroupKeys;
import io.packing.bdt.MovedException;
import io.packing.bdt.rpc.CancelTokenReply;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.bdt.rpc.IssueTokenRequest;
import io.packing.bdt.rpc.LoginReply;
import io.packing.bdt.rpc.LoginRequest;
import io.packing.bdt.rpc.TokenKeysReply;
import io.packing.bdt.rpc.TokenKeysRequest;
import io.packing.bdt.rpc.TokenRequest;
import io.packing.bdt.rpc.TokensCodec;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * The client of a TLS master's tokens: it gets them, and renews and cancels them at the master group that issued them.
 * Thread-safe.
 */
public final class TokenClient {
    private final FederationChannels groups;

    TokenClient(FederationChannels groups) {
        this.groups = groups;
    }

    /**
     * Issues a new token.
     *
     * @param user of the token; empty: the caller. Only a superuser gets one for another user
     * @param renewer may renew and cancel it, beside the user; may be empty
     */
    public IssuedToken issue(String user, String renewer) throws IOException {
        IssueTokenReply reply = groups.home()
                .call(
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

    /** The maker of the first message of a GSS-API context by Kerberos, which serves for one login. */
    public interface Tickets {
        /**
         * Makes a new message.
         *
         * @param host name of the master
         */
        byte[] ticket(String host) throws IOException;
    }

    /**
     * Logs this process in.
     *
     * @param user for whom it acts; empty: itself
     */
    public Login login(Tickets tickets, String user) throws IOException {
        LoginReply reply = login(tickets, LoginRequest.newBuilder().setUser(user));
        return new Login(reply.getToken(), Duration.ofMillis(reply.getValidMillis()));
    }

    /** Issues a token for a job, as {@link #issue} does for a certificate. */
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
            return groups.home().call("log in by Kerberos", TokensGrpc::newBlockingStub, stub -> {
                // Use the host of the master that is asked now: each has a principal of its own, and each try needs
                // another ticket.
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
     * @param token which works for any bearer
     * @param valid time from the login on
     */
    public record Login(String token, Duration valid) {
        /** Returns a text without the token itself, so that no log has it. */
        @Override
        public String toString() {
            return "a login that is good for %s".formatted(valid);
        }
    }

    /** Renews a token; returns its new end. */
    public Instant renew(String token) throws IOException {
        return Instant.ofEpochMilli(
                ofIssuer("renew a token", stub -> stub.renew(request(token))).getRenewedUntilMillis());
    }

    /** Cancels a token: its master refuses it at once, and workers and masters of other groups within seconds. */
    public void cancel(String token) throws IOException {
        CancelTokenReply unused = ofIssuer("cancel a token", stub -> stub.cancel(request(token)));
    }

    /** Returns the keys with which a worker checks tokens by itself. */
    public KeyRing keys() throws IOException {
        return TokensCodec.decode(askForKeys(TokenKeysRequest.getDefaultInstance()));
    }

    /** Returns the keys and tokens that this client's group issues, for the masters of other groups. */
    public MasterGroupKeys ownKeys() throws IOException {
        TokenKeysReply reply =
                askForKeys(TokenKeysRequest.newBuilder().setOwn(true).build());
        try {
            return TokensCodec.decodeOwn(reply);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private TokenKeysReply askForKeys(TokenKeysRequest request) throws IOException {
        return groups.home()
                .call("ask for the keys of tokens", TokensGrpc::newBlockingStub, stub -> stub.keys(request));
    }

    /** Calls the group that issued the token, which other groups name. */
    private <T> T ofIssuer(String what, Function<TokensGrpc.TokensBlockingStub, T> call) throws IOException {
        MasterChannel master = groups.home();
        for (int moves = 1; ; moves++) {
            try {
                return master.call(what, TokensGrpc::newBlockingStub, call);
            } catch (MovedException e) {
                master = groups.follow(e, moves);
            }
        }
    }

    private static TokenRequest request(String token) {
        return TokenRequest.newBuilder().setToken(token).build();
    }
}
