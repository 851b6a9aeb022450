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
 * Signature version 4 without the payload in it, for a store on this machine. Over TLS the SDK signs the same way, because
 * nobody can change the payload on its way; on a loopback interface nobody can either, but there the SDK hashes every byte,
 * and the store once more. Damage is found by the CRC32C that each put carries.
 */
final class LoopbackSigning implements AuthScheme<AwsCredentialsIdentity> {
    private static final String TLS = "https";

    private final AwsV4AuthScheme scheme = AwsV4AuthScheme.create();

    /** Whether a store speaks plain HTTP and is on this machine. */
    static boolean suits(URI endpoint) {
        if (TLS.equalsIgnoreCase(endpoint.getScheme()) || endpoint.getHost() == null) {
            return false;
        }
        try {
            return InetAddress.getByName(endpoint.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // The first request says so.
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

    /** Signs as if the request went over TLS: the protocol is no part of what is signed. */
    private record Signer(AwsV4HttpSigner signer) implements HttpSigner<AwsCredentialsIdentity> {
        @Override
        public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> asked) {
            SdkHttpRequest plain = asked.request();
            SignedRequest signed = signer.sign(asked.copy(copy -> copy.request(via(TLS, plain, plain))
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, false)));
            return signed.copy(copy -> copy.request(via(plain.protocol(), signed.request(), plain)));
        }

        /** With the port of the original: the SDK would take the protocol's own. */
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
