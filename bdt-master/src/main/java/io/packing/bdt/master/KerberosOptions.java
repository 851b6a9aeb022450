// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.login.AuthToLocal;
import io.packing.bdt.master.login.KerberosService;
import io.packing.bdt.master.login.Logins;
import io.packing.bdt.master.login.ProxyUsers;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The terms of Kerberos logins and of proxy users.
 *
 * @param principal of the master; empty: no user logs in
 * @param keytab with its keys; empty if and only if there is no principal
 * @param rules by which principals are users
 * @param session for how long a login is good
 * @param proxies file of who acts for whom; empty: no user does
 */
public record KerberosOptions(
        Optional<String> principal,
        Optional<Path> keytab,
        AuthToLocal rules,
        Duration session,
        Optional<Path> proxies) {
    /** No logins and no proxy users. */
    public static final KerberosOptions NONE = new KerberosOptions(
            Optional.empty(), Optional.empty(), AuthToLocal.DEFAULT, Duration.ofHours(10), Optional.empty());

    static final Option<Optional<String>> PRINCIPAL = new Option<>(
            "bdt.kerberos.principal",
            "",
            "The master's Kerberos principal, packing/HOST@REALM with the host by which clients call it. Empty: no "
                    + "Kerberos.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(KerberosService.checkPrincipal(text)));

    static final Option<Optional<Path>> KEYTAB = new Option<>(
            "bdt.kerberos.keytab", "", "Keytab with the keys of bdt.kerberos.principal.", KerberosOptions::path);

    static final Option<AuthToLocal> RULES = new Option<>(
            "bdt.kerberos.auth.to.local",
            "DEFAULT",
            "Rules by which Kerberos principals are users, as Hadoop's hadoop.security.auth_to_local has them.",
            AuthToLocal::parse);

    static final Option<Duration> SESSION = new Option<>(
            "bdt.kerberos.session", "10h", "The time for which a login by Kerberos is good.", Parsers::duration);

    static final Option<Optional<Path>> PROXIES = new Option<>(
            "bdt.proxy.users",
            "",
            "File of services that act for users: lines NAME.hosts=, NAME.users= and NAME.groups=, as Hadoop's "
                    + "hadoop.proxyuser.NAME.*; read again when it changes.",
            KerberosOptions::path);

    static final List<Option<?>> OPTIONS = List.of(PRINCIPAL, KEYTAB, RULES, SESSION, PROXIES);

    public KerberosOptions {
        if (principal.isPresent() != keytab.isPresent()) {
            throw new IllegalArgumentException(
                    "options %s and %s belong together: set both or none".formatted(PRINCIPAL.key(), KEYTAB.key()));
        }
        if (session.toMillis() <= 0) {
            throw new IllegalArgumentException(
                    "option %s: a login that is good for %s".formatted(SESSION.key(), session));
        }
    }

    private static Optional<Path> path(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    static KerberosOptions from(Options options) {
        return new KerberosOptions(
                options.get(PRINCIPAL),
                options.get(KEYTAB),
                options.get(RULES),
                options.get(SESSION),
                options.get(PROXIES));
    }

    /** Lets this process, which is one master and no more, know after a restart which messages were used for a login. */
    public void rememberLogins(Path dataDir) {
        if (principal.isPresent()) {
            KerberosService.rememberIn(dataDir.resolve("kerberos-logins"));
        }
    }

    /** @throws IllegalArgumentException naming the file that cannot be used */
    Logins open(PermissionOptions permissions) {
        return new Logins(
                principal.map(own -> KerberosService.open(own, keytab.orElseThrow())),
                rules,
                session,
                proxies.map(ProxyUsers::read).orElse(ProxyUsers.NONE),
                permissions.groups().get(),
                permissions.supergroup());
    }
}
