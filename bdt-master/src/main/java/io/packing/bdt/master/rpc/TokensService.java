// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.MovedException;
import io.packing.bdt.master.audit.AuditCaller;
import io.packing.bdt.master.audit.AuditLog;
import io.packing.bdt.master.login.Logins;
import io.packing.bdt.master.login.RefusedLoginException;
import io.packing.bdt.master.tokens.OtherMasterGroups;
import io.packing.bdt.master.tokens.TokenAuthority;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.CancelTokenReply;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.bdt.rpc.IssueTokenRequest;
import io.packing.bdt.rpc.LoginReply;
import io.packing.bdt.rpc.LoginRequest;
import io.packing.bdt.rpc.RenewTokenReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.bdt.rpc.TokenKeysReply;
import io.packing.bdt.rpc.TokenKeysRequest;
import io.packing.bdt.rpc.TokenRequest;
import io.packing.bdt.rpc.TokensCodec;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.transport.CheckedMessages;
import io.packing.transport.identity.CallerAddress;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Proof;
import io.packing.transport.identity.Role;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tokens over gRPC: who may have, renew and cancel which. */
public final class TokensService extends TokensGrpc.TokensImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(TokensService.class);
    private static final String PROOF = Proof.KERBEROS.name();

    private final TokenAuthority authority;
    private final IssuingGroup group;
    private final Logins logins;
    private final Optional<AuditLog> audit;
    private final Clock clock;

    /**
     * The group of masters that issues the tokens.
     *
     * @param name empty: it is the only one
     * @param others what it has heard of the other groups
     */
    public record IssuingGroup(String name, OtherMasterGroups others) {}

    /** @param audit told who got which token, and who did not */
    public TokensService(
            TokenAuthority authority, IssuingGroup group, Logins logins, Optional<AuditLog> audit, Clock clock) {
        this.authority = authority;
        this.group = group;
        this.logins = logins;
        this.audit = audit;
        this.clock = clock;
    }

    ServerServiceDefinition service() {
        return ServerInterceptors.intercept(
                CheckedMessages.around(bindService(), BdtLimits.LIMITS, StatusMapping::toStatus),
                CallerAddress.inContext());
    }

    /** Returns the key ring that checks tokens here: of this group, and of the others by their last word. */
    public KeyRing ring() {
        return group.others().with(authority.ring());
    }

    private static InetAddress address() {
        return CallerAddress.current().orElseGet(InetAddress::getLoopbackAddress);
    }

    /** A call whose answer is computed at once. */
    private interface Call<T> {
        T answer(Identity caller) throws IOException;
    }

    private static <T> void answer(StreamObserver<T> to, Call<T> call) {
        try {
            Identity caller = Identity.current()
                    .orElseThrow(() -> Status.UNAUTHENTICATED
                            .withDescription("this server asks nobody who they are")
                            .asRuntimeException());
            T answer = call.answer(caller);
            to.onNext(answer);
            to.onCompleted();
        } catch (IOException | RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
        }
    }

    @Override
    public void issue(IssueTokenRequest request, StreamObserver<IssueTokenReply> to) {
        answer(to, caller -> {
            if (caller.byToken()) {
                throw denied("a token gets no other token: show a certificate");
            }
            String user = request.getUser().isEmpty() ? caller.user() : request.getUser();
            boolean acts = !user.equals(caller.user()) && !caller.has(Role.SUPERUSER);
            AuditCaller told = audited(user, caller, acts);
            try {
                if (acts) {
                    logins.checkActing(caller.user(), user, address());
                }
                // A token gives no role, so its user is known by a name alone.
                IssuedToken issued = authority.issue(
                        Identity.checkUser(user), logins.renewer(request.getRenewer()), acts ? caller.user() : "");
                tell(true, told, "getDelegationToken", user);
                return reply(issued);
            } catch (RefusedLoginException e) {
                tell(false, told, "getDelegationToken", user);
                throw denied("%s may not have a token of %s: that needs a certificate with O=%s, or: %s"
                        .formatted(caller.user(), user, Role.SUPERUSER.organization(), e.getMessage()));
            }
        });
    }

    private static AuditCaller audited(String user, Identity caller, boolean acts) {
        return new AuditCaller(
                acts ? user : caller.user(),
                caller.proof().name(),
                acts ? Optional.of(caller.user()) : caller.via(),
                "/" + address().getHostAddress());
    }

    private void tell(boolean allowed, AuditCaller caller, String command, String source) {
        audit.ifPresent(log -> log.tell(allowed, caller, command, source));
    }

    private static IssueTokenReply reply(IssuedToken issued) {
        return IssueTokenReply.newBuilder()
                .setToken(issued.text())
                .setEndMillis(issued.end().toEpochMilli())
                .setRenewedUntilMillis(issued.renewedUntil().toEpochMilli())
                .build();
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginReply> to) {
        try {
            to.onNext(login(request));
            to.onCompleted();
        } catch (IOException | RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
        }
    }

    private LoginReply login(LoginRequest request) throws IOException {
        String command = request.getDelegation() ? "getDelegationToken" : "login";
        String from = "/" + address().getHostAddress();
        String real;
        try {
            real = logins.userOf(request.getTicket().toByteArray());
        } catch (RefusedLoginException e) {
            LOG.info("refused a login from {}: {}", from, e.getMessage());
            tell(false, new AuditCaller("unknown", PROOF, Optional.empty(), from), command, request.getUser());
            throw Status.UNAUTHENTICATED
                    .withDescription(StatusMapping.shortened(String.valueOf(e.getMessage())))
                    .asRuntimeException();
        }
        String user = request.getUser().isEmpty() ? real : request.getUser();
        boolean acts = !user.equals(real);
        AuditCaller told = new AuditCaller(user, PROOF, acts ? Optional.of(real) : Optional.empty(), from);
        try {
            if (acts) {
                logins.checkActing(real, user, address());
            }
            String unused = Identity.checkUser(user);
            String via = acts ? real : "";
            IssuedToken issued = request.getDelegation()
                    ? authority.issue(user, logins.renewer(request.getRenewer()), via)
                    : authority.session(user, via, logins.session());
            tell(true, told, command, "");
            return LoginReply.newBuilder()
                    .setToken(issued.text())
                    .setEndMillis(issued.end().toEpochMilli())
                    .setRenewedUntilMillis(issued.renewedUntil().toEpochMilli())
                    .setValidMillis(Duration.between(clock.instant(), issued.renewedUntil())
                            .toMillis())
                    .build();
        } catch (RefusedLoginException e) {
            LOG.info("refused a login of {} from {}: {}", real, from, e.getMessage());
            tell(false, told, command, "");
            throw denied(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void renew(TokenRequest request, StreamObserver<RenewTokenReply> to) {
        answer(
                to,
                caller -> RenewTokenReply.newBuilder()
                        .setRenewedUntilMillis(
                                authority.renew(own(request, caller)).toEpochMilli())
                        .build());
    }

    @Override
    public void cancel(TokenRequest request, StreamObserver<CancelTokenReply> to) {
        answer(to, caller -> {
            authority.cancel(own(request, caller));
            return CancelTokenReply.getDefaultInstance();
        });
    }

    @Override
    public void keys(TokenKeysRequest request, StreamObserver<TokenKeysReply> to) {
        answer(
                to,
                caller -> request.getOwn()
                        ? TokensCodec.encode(authority.published(group.name()))
                        : TokensCodec.encode(ring()));
    }

    /** The token, which the caller may renew and cancel. */
    private Token own(TokenRequest request, Identity caller) throws MovedException {
        Token token;
        try {
            Optional<MovedException> elsewhere = group.others().issuer(request.getToken());
            if (elsewhere.isPresent()) {
                throw elsewhere.get();
            }
            token = authority.verified(request.getToken());
        } catch (InvalidTokenException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        boolean its = caller.user().equals(token.user())
                || caller.user().equals(token.renewer())
                || caller.has(Role.SUPERUSER);
        if (!its) {
            throw denied("%s is neither the user nor the renewer of the token".formatted(caller.user()));
        }
        return token;
    }

    private static RuntimeException denied(String why) {
        return Status.PERMISSION_DENIED
                .withDescription(StatusMapping.shortened(why))
                .asRuntimeException();
    }
}
