// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * The signature version 4 without the payload, for a store on this machine. Over TLS the SDK signs in this way, because
 * the payload cannot change on its way. It cannot on a loopback interface either, but there the SDK hashes every byte,
 * and the store hashes it again. The CRC32C of each put finds damage.
 */
final class LoopbackSigning implements AuthScheme<AwsCredentialsIdentity> {
    /** A header of requests whose checksum is not known before their bytes; the store does not see it. */
    static final String STREAM = "x-packing-stream";

    private static final String TLS = "https";

    private final AwsV4AuthScheme scheme = AwsV4AuthScheme.create();

    /** Returns whether a store speaks plain HTTP and is on this machine. */
    static boolean suits(URI endpoint) {
        if (TLS.equalsIgnoreCase(endpoint.getScheme()) || endpoint.getHost() == null) {
            return false;
        }
        try {
            return InetAddress.getByName(endpoint.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // The first request reports it.
            return false;
        }
    }

    @Override
    public String schemeId() {
        return scheme.schemeId();
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return scheme.identityProvider(providers);
    }

    @Override
    public HttpSigner<AwsCredentialsIdentity> signer() {
        return new Signer(scheme.signer());
    }

    /** A signer that signs like for TLS: the signature does not cover the protocol. */
    private record Signer(AwsV4HttpSigner signer) implements HttpSigner<AwsCredentialsIdentity> {
        @Override
        public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> asked) {
            // Chunks have their checksum behind them.
            boolean chunked = asked.request().firstMatchingHeader(STREAM).isPresent();
            SdkHttpRequest plain = asked.request().copy(copy -> copy.removeHeader(STREAM));
            SignedRequest signed = signer.sign(asked.copy(copy -> copy.request(via(TLS, plain, plain))
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, chunked)));
            return signed.copy(copy -> copy.request(via(plain.protocol(), signed.request(), plain)));
        }

        /**
         * Returns the request with another protocol and the port of the original, since the SDK would take the
         * protocol's own.
         */
        private static SdkHttpRequest via(String protocol, SdkHttpRequest request, SdkHttpRequest original) {
            return request.copy(copy -> copy.protocol(protocol).port(original.port()));
        }

        @Override
        public CompletableFuture<AsyncSignedRequest> signAsync(
                AsyncSignRequest<? extends AwsCredentialsIdentity> asked) {
            return signer.signAsync(asked);
        }
    }
}
