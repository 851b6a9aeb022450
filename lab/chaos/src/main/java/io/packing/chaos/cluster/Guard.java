// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The protection of a group: certificates of all its processes, replaced while they run, and a key that encrypts all
 * stored bytes. A group may have none.
 */
final class Guard {
    private static final String TRUST = "trust.crt";

    private final Path directory;
    private final boolean there;
    /** The subject of each process. */
    private final Map<String, String> subjects = new TreeMap<>();

    private TestAuthority authority;
    private int made;

    private Guard(Path directory, boolean there) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.there = there;
        this.authority = authority();
    }

    /** @param there whether the group is protected */
    static Guard in(Path directory, boolean there) throws IOException {
        Guard guard = new Guard(directory, there);
        if (there) {
            guard.trust(List.of(guard.authority));
        }
        return guard;
    }

    boolean isThere() {
        return there;
    }

    private TestAuthority authority() throws IOException {
        made++;
        return TestAuthority.create(
                directory.resolve("authority-" + made),
                "authority-" + made,
                Clock.systemUTC().instant());
    }

    private void trust(Collection<TestAuthority> authorities) throws IOException {
        StringBuilder all = new StringBuilder();
        for (TestAuthority each : authorities) {
            all.append(Files.readString(each.certificate()));
        }
        replace(Files.writeString(directory.resolve("next"), all.toString()), TRUST);
    }

    private void replace(Path next, String name) throws IOException {
        Path unused = Files.move(
                next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Replaces the key first, then the certificate, as docs/security.md says. */
    private void certify(String process) throws IOException {
        made++;
        IssuedCertificate next = authority.issueForHosts(
                process + "-" + made,
                subjects.getOrDefault(process, ""),
                List.of("raft-" + process, "master-" + process, "localhost"));
        replace(next.key(), process + ".key");
        replace(next.certificate(), process + ".crt");
    }

    /**
     * Makes a certificate for a process, and returns the process's options.
     *
     * @param prefix of the options
     * @param roles such as {@code packing-daemon}
     */
    Map<String, String> options(String prefix, String process, String... roles) throws IOException {
        if (!there) {
            return Map.of();
        }
        StringBuilder subject = new StringBuilder("CN=" + process);
        for (String role : roles) {
            subject.append(", O=").append(role);
        }
        if (subjects.put(process, subject.toString()) == null) {
            certify(process);
        }
        Map<String, String> options = new HashMap<>();
        options.put(prefix + ".tls.trust", directory.resolve(TRUST).toString());
        options.put(
                prefix + ".tls.certificate", directory.resolve(process + ".crt").toString());
        options.put(prefix + ".tls.key", directory.resolve(process + ".key").toString());
        options.put(prefix + Encryption.KEYSTORE, Encryption.keystore(directory).toString());
        return options;
    }

    /** Returns further options of the mount. */
    Map<String, String> mount() {
        return there ? Map.of(Encryption.OPTION, Encryption.KEY) : Map.of();
    }

    /** Gives each process another key and another certificate. */
    void rotate() throws IOException {
        for (String process : subjects.keySet()) {
            certify(process);
        }
    }

    /** Makes all processes trust a further authority, which signs the next certificates. */
    void addAuthority() throws IOException {
        TestAuthority before = authority;
        authority = authority();
        trust(List.of(before, authority));
    }

    /** Makes all processes trust only the authority that was added last. */
    void dropAuthorities() throws IOException {
        trust(List.of(authority));
    }
}
