// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.transport.tls.TlsFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of {@link Security}. Mounts and masters have equal ones, each below their own prefix. */
public final class SecurityOptions {
    /** The options of workers and clients, such as {@code packing.tls.trust}. */
    public static final SecurityOptions OF_MOUNTS = new SecurityOptions("packing.");

    /** The options of BDT masters. */
    public static final SecurityOptions OF_MASTERS = new SecurityOptions("bdt.");

    private final Option<Optional<Path>> trust;
    private final Option<Optional<Path>> certificate;
    private final Option<Optional<Path>> key;
    private final Option<Optional<Path>> revoked;
    private final Option<Optional<Path>> token;
    private final Option<Optional<String>> kerberos;
    private final Option<Boolean> insecure;

    private SecurityOptions(String prefix) {
        trust = new Option<>(
                prefix + "tls.trust",
                "",
                "PEM file of the authorities that this process believes; turns TLS on. The process reads files "
                        + "of TLS again when they change.",
                SecurityOptions::path);
        certificate = new Option<>(
                prefix + "tls.certificate",
                "",
                "PEM file of this process's certificate, and of those up to its authority. Its CN is the user, its O the roles.",
                SecurityOptions::path);
        key = new Option<>(
                prefix + "tls.key",
                "",
                "PEM file of the certificate's private key, PKCS#8, not encrypted.",
                SecurityOptions::path);
        revoked = new Option<>(
                prefix + "tls.revoked",
                "",
                "PEM file of lists of revoked certificates, signed by believed authorities. The process refuses "
                        + "these certificates, also in calls over open connections.",
                SecurityOptions::path);
        token = new Option<>(
                prefix + "tls.token",
                "",
                "File of a token that the master issued, shown instead of a certificate.",
                SecurityOptions::path);
        kerberos = new Option<>(
                prefix + "kerberos.principal",
                "",
                "The master's Kerberos principal, packing/_HOST@REALM; _HOST stands for the master's host in the "
                        + "client's address. Hadoop clients whose user has a Kerberos ticket log in by it, and show no "
                        + "certificate.",
                text -> text.isEmpty() ? Optional.empty() : Optional.of(text));
        insecure = new Option<>(
                prefix + "insecure",
                "false",
                "Whether to listen without TLS at an address that other machines reach: any of them may then "
                        + "read, change and delete everything.",
                Parsers::flag);
    }

    /** Returns the options of a process that is a client, or a client and a server. */
    public List<Option<?>> ofClients() {
        return List.of(trust, certificate, key, revoked, token, kerberos, insecure);
    }

    /** Returns the options of a process that is a server only. */
    public List<Option<?>> ofServers() {
        return List.of(trust, certificate, key, revoked, insecure);
    }

    private static Optional<Path> path(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    /**
     * Returns the settings that the options give together. It does not open the files; their first use does.
     *
     * @throws IllegalArgumentException when options contradict each other
     */
    public Security from(Options options) {
        Optional<Path> authorities = options.get(trust);
        Optional<Path> shown = options.get(certificate);
        Optional<Path> secret = options.get(key);
        Optional<Path> tokenFile = options.get(token);
        if (shown.isPresent() != secret.isPresent()) {
            throw new IllegalArgumentException(
                    "options %s and %s belong together: set both or none".formatted(certificate.key(), key.key()));
        }
        if (authorities.isEmpty()
                && (shown.isPresent()
                        || tokenFile.isPresent()
                        || options.get(revoked).isPresent()
                        || options.get(kerberos).isPresent())) {
            throw new IllegalArgumentException(
                    "option %s is missing: without it connections are plain, and nothing is shown"
                            .formatted(trust.key()));
        }
        if (authorities.isPresent() && options.get(insecure)) {
            throw new IllegalArgumentException(
                    "options %s and %s=true contradict each other".formatted(trust.key(), insecure.key()));
        }
        Optional<TlsFiles> tls = authorities.map(file -> new TlsFiles(
                file, shown.map(own -> new TlsFiles.Own(own, secret.orElseThrow())), options.get(revoked)));
        return new Security(
                tls,
                tokenFile.<Security.TokenSource>map(TokenFile::new).orElse(Security.TokenSource.NONE),
                options.get(kerberos),
                options.get(insecure),
                this);
    }

    /** Returns other options only: these concern this process alone. */
    public Map<String, String> without(Map<String, String> raw) {
        Map<String, String> left = new HashMap<>(raw);
        ofClients().forEach(option -> left.remove(option.key()));
        return left;
    }

    String neededByServers() {
        return "%s, %s and %s".formatted(trust.key(), certificate.key(), key.key());
    }

    String insecureKey() {
        return insecure.key();
    }
}
