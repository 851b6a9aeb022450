// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import io.packing.bdt.master.usergroups.UserGroups;
import io.packing.transport.watch.WatchedFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxies that may act for users, and their addresses: a file of lines {@code NAME.hosts=}, {@code NAME.users=} and
 * {@code NAME.groups=}, which mean what Hadoop's {@code hadoop.proxyuser.NAME.*} mean. A changed file is read again; if it cannot be read, the last rules stay
 * in use. Thread-safe.
 */
public final class ProxyUsers {
    /** No proxy acts for any user. */
    public static final ProxyUsers NONE = new ProxyUsers();

    private static final Logger LOG = LoggerFactory.getLogger(ProxyUsers.class);
    private static final Set<String> PARTS = Set.of("hosts", "users", "groups");
    private static final String ANY = "*";

    private final WatchedFiles watched;
    private volatile Map<String, Set<String>> lists = Map.of();

    private ProxyUsers() {
        this.watched = WatchedFiles.read(List.of(), () -> {});
    }

    private ProxyUsers(Path file) {
        this.watched = WatchedFiles.read(List.of(file), () -> load(file));
    }

    /** Reads a file; throws {@link IllegalArgumentException} when it cannot be read, or has another format. */
    public static ProxyUsers read(Path file) {
        return new ProxyUsers(file);
    }

    private void load(Path file) throws IOException {
        Map<String, Set<String>> read = new HashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            int dot = line.lastIndexOf('.', Math.max(0, equals));
            if (dot <= 0 || !PARTS.contains(line.substring(dot + 1, equals).strip())) {
                throw new IllegalArgumentException(
                        "line %d is '%s', want NAME.hosts=HOST,HOST or NAME.users= or NAME.groups="
                                .formatted(number, line));
            }
            Set<String> values = new HashSet<>();
            for (String value : line.substring(equals + 1).split(",", -1)) {
                if (!value.isBlank()) {
                    values.add(checked(value.strip(), line, number));
                }
            }
            if (read.put(line.substring(0, equals).strip(), values) != null) {
                throw new IllegalArgumentException(
                        "line %d is '%s', of which there is another".formatted(number, line));
            }
        }
        lists = Map.copyOf(read);
    }

    private static String checked(String value, String line, int number) {
        if (value.contains("/")) {
            try {
                AddressRange unused = AddressRange.parse(value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line %d is '%s': %s".formatted(number, line, e.getMessage()), e);
            }
        }
        return value;
    }

    /**
     * Refuses a proxy that may not act for a user.
     *
     * @param groups of users
     * @param supergroup for whose members no proxy acts; empty: no such group
     * @param from where the call comes from
     */
    public void check(String real, String user, UserGroups groups, String supergroup, InetAddress from)
            throws RefusedLoginException {
        watched.refresh();
        Map<String, Set<String>> now = lists;
        Set<String> users = now.getOrDefault(real + ".users", Set.of());
        Set<String> wanted = now.getOrDefault(real + ".groups", Set.of());
        Set<String> in = groupsOf(user, groups);
        boolean allowed = users.contains(ANY)
                || users.contains(user)
                || wanted.contains(ANY)
                || !Collections.disjoint(wanted, in);
        if (!allowed) {
            throw new RefusedLoginException(
                    "%s may not act for %s: neither %s.users nor %s.groups of bdt.proxy.users at the master says so"
                            .formatted(real, user, real, real));
        }
        if (in.contains(supergroup)) {
            throw new RefusedLoginException("%s may not act for %s, who is in the group %s: nobody acts for superusers"
                    .formatted(real, user, supergroup));
        }
        Set<String> hosts = now.getOrDefault(real + ".hosts", Set.of());
        if (hosts.stream().noneMatch(host -> isAt(host, from))) {
            throw new RefusedLoginException(
                    "%s may not act for others from %s: %s.hosts of bdt.proxy.users at the master does not have it"
                            .formatted(real, from.getHostAddress(), real));
        }
    }

    private static Set<String> groupsOf(String user, UserGroups groups) throws RefusedLoginException {
        try {
            return groups.groups(user);
        } catch (IOException e) {
            throw new RefusedLoginException(
                    "nobody acts for %s while the groups of %s are not known: %s".formatted(user, user, e), e);
        }
    }

    private static boolean isAt(String host, InetAddress from) {
        if (host.equals(ANY)) {
            return true;
        }
        if (host.contains("/")) {
            return AddressRange.parse(host).contains(from);
        }
        try {
            return Arrays.asList(InetAddress.getAllByName(host)).contains(from);
        } catch (UnknownHostException e) {
            LOG.warn("bdt.proxy.users names the host {}, which is not known: {}", host, e.toString());
            return false;
        }
    }
}
