// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import io.packing.bdt.master.usergroups.UserGroups;
import io.packing.transport.identity.Identity;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * The Kerberos logins to a master, and its proxy users. Thread-safe.
 */
public final class Logins {
    private final Optional<KerberosService> service;
    private final AuthToLocal rules;
    private final Duration session;
    private final ProxyUsers proxies;
    private volatile ProxyGroups groups;

    /** The groups that decide for which users a proxy acts. */
    private record ProxyGroups(UserGroups source, String supergroup) {}

    /**
     * Logins to a service.
     *
     * @param service absent: nobody logs in by Kerberos
     * @param session for how long a login is good
     */
    public Logins(
            Optional<KerberosService> service,
            AuthToLocal rules,
            Duration session,
            ProxyUsers proxies,
            UserGroups groups,
            String supergroup) {
        this.service = service;
        this.rules = rules;
        this.session = session;
        this.proxies = proxies;
        this.groups = new ProxyGroups(groups, supergroup);
    }

    /** Takes the users' groups from this source, for the next login and later ones. */
    public void take(UserGroups source, String supergroup) {
        groups = new ProxyGroups(source, supergroup);
    }

    public Duration session() {
        return session;
    }

    /** Returns the user that the ticket belongs to. */
    public String userOf(byte[] ticket) throws RefusedLoginException {
        KerberosService known = service.orElseThrow(
                () -> new RefusedLoginException(
                        "this master knows no Kerberos: set bdt.kerberos.principal and bdt.kerberos.keytab there, or show a certificate"));
        String user = rules.user(known.clientOf(ticket), known.realm());
        try {
            return Identity.checkUser(user);
        } catch (IllegalArgumentException e) {
            throw new RefusedLoginException(String.valueOf(e.getMessage()));
        }
    }

    /** A renewer, who may be named as a user or, as YARN's resource manager names itself, as a principal. */
    public String renewer(String named) throws RefusedLoginException {
        return service.isPresent() && (named.contains("/") || named.contains("@"))
                ? rules.user(qualified(named), service.get().realm())
                : named;
    }

    private String qualified(String named) {
        return named.contains("@") ? named : named + "@" + service.orElseThrow().realm();
    }

    /** Refuses a proxy that may not act for the user from that address. */
    public void checkActing(String real, String user, InetAddress from) throws RefusedLoginException {
        ProxyGroups now = groups;
        proxies.check(real, user, now.source(), now.supergroup(), from);
    }
}
