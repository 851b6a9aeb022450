package io.packing.bdt.master.rpc;

import com.google.protobuf.ByteString;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.master.tokens.TokenAuthority;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.CancelTokenReply;
import io.packing.bdt.rpc.IssueTokenReply;
import io.packing.bdt.rpc.IssueTokenRequest;
import io.packing.bdt.rpc.RenewTokenReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.bdt.rpc.TokenKeysReply;
import io.packing.bdt.rpc.TokenKeysRequest;
import io.packing.bdt.rpc.TokenRequest;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.transport.CheckedMessages;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import java.io.IOException;

/** Tokens over gRPC: who may have, renew and cancel which. */
public final class TokensService extends TokensGrpc.TokensImplBase {
    private final TokenAuthority authority;

    public TokensService(TokenAuthority authority) {
        this.authority = authority;
    }

    ServerServiceDefinition service() {
        return CheckedMessages.around(bindService(), BdtLimits.LIMITS, StatusMapping::toStatus);
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
            if (!user.equals(caller.user()) && !caller.has(Role.SUPERUSER)) {
                throw denied("%s may not have a token of %s: that needs a certificate with O=%s"
                        .formatted(caller.user(), user, Role.SUPERUSER.organization()));
            }
            IssuedToken issued = authority.issue(user, request.getRenewer());
            return IssueTokenReply.newBuilder()
                    .setToken(issued.text())
                    .setEndMillis(issued.end().toEpochMilli())
                    .setRenewedUntilMillis(issued.renewedUntil().toEpochMilli())
                    .build();
        });
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
        answer(to, caller -> {
            KeyRing ring = authority.ring();
            TokenKeysReply.Builder reply = TokenKeysReply.newBuilder().addAllRefused(ring.refused());
            ring.keys()
                    .forEach((id, key) ->
                            reply.addKeysBuilder().setId(id).setPublicKey(ByteString.copyFrom(key.getEncoded())));
            return reply.build();
        });
    }

    /** The token, which the caller may renew and cancel. */
    private Token own(TokenRequest request, Identity caller) {
        Token token;
        try {
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
        return Status.PERMISSION_DENIED.withDescription(why).asRuntimeException();
    }
}
