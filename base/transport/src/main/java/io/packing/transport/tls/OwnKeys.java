// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.CertificateUtils;
import io.packing.transport.watch.WatchedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The key of this process, as its files have it when a connection begins. Thread-safe. */
final class OwnKeys extends X509ExtendedKeyManager {
    private static final byte[] PROBE = {1, 2, 3};

    private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
    private final WatchedFiles files;

    OwnKeys(TlsFiles.Own own) {
        this.files = WatchedFiles.read(List.of(own.certificate(), own.key()), () -> load(own));
    }

    private void load(TlsFiles.Own own) throws IOException, GeneralSecurityException {
        X509Certificate[] chain = certificates(own.certificate());
        PrivateKey key;
        try (InputStream in = Files.newInputStream(own.key())) {
            key = CertificateUtils.getPrivateKey(in);
        }
        if (!belongTogether(key, chain[0])) {
            throw new InvalidKeyException("%s is not the key of the certificate in %s, which is of %s"
                    .formatted(own.key(), own.certificate(), chain[0].getSubjectX500Principal()));
        }
        keys.updateIdentityCredentials(chain, key);
    }

    static X509Certificate[] certificates(Path file) throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate[] found = CertificateUtils.getX509Certificates(in);
            if (found.length == 0) {
                throw new CertificateException("there is no certificate in " + file);
            }
            return found;
        }
    }

    private static boolean belongTogether(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        if (!certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(PROBE);
        return signature.verify(signed);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            @Nullable String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        files.refresh();
        return keys.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String @Nullable [] keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        files.refresh();
        return keys.chooseEngineClientAlias(keyType, issuers, engine);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String @Nullable [] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        files.refresh();
        return keys.chooseClientAlias(keyType, issuers, socket);
    }

    @Override
    public @Nullable String chooseServerAlias(
            @Nullable String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        files.refresh();
        return keys.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public String @Nullable [] getClientAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
        return keys.getClientAliases(keyType, issuers);
    }

    @Override
    public String @Nullable [] getServerAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
        return keys.getServerAliases(keyType, issuers);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        return keys.getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        return keys.getPrivateKey(alias);
    }
}
