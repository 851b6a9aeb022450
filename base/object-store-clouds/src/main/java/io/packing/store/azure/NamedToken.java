// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import reactor.core.publisher.Mono;

/** A source of tokens. Its failures have a type of their own, so that they are no failures of the store. */
record NamedToken(TokenCredential source) implements TokenCredential {
    /** A failure to get a token. Its reason is not its cause, by which the client would replace it. */
    static final class NoToken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Throwable reason;

        NoToken(Throwable reason) {
            super(String.valueOf(reason.getMessage()));
            this.reason = reason;
        }

        Throwable reason() {
            return reason;
        }
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return source.getToken(request).onErrorMap(NoToken::new);
    }

    @Override
    public AccessToken getTokenSync(TokenRequestContext request) {
        try {
            return source.getTokenSync(request);
        } catch (RuntimeException e) {
            throw new NoToken(e);
        }
    }
}
