// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * A Kerberos service: it knows by its keytab who sent a ticket. The keytab is read again when it changes. A ticket's message is taken
 * once: the JVM remembers those that it has seen for as long as their clocks may be apart, in memory or in a file. Thread-safe.
 */
public final class KerberosService {
    private static final Oid MECHANISM = oid("1.2.840.113554.1.2.2");
    private static final Oid PRINCIPAL_NAME = oid("1.2.840.113554.1.2.2.1");
    /** The property of the JDK's replay cache; the JDK reads it once, at the first message. */
    private static final String MEMORY = "sun.security.krb5.rcache";

    private static final Pattern SERVICE = Pattern.compile("[^/@\\s]+/[^/@\\s]+@[^/@\\s]+");
    /** The number of an error, RFC 4120 section 7.5.9, in the JDK's messages. */
    private static final Pattern CODE = Pattern.compile("\\((\\d+)\\)");

    private static final Map<String, String> WHAT_TO_DO = Map.of(
            "31", "it was made for another key: the master's keytab is older or newer than the ticket",
            "32", "get another one (kinit)",
            "33", "it is not valid yet: set the clocks of the machines",
            "34", "each message of a ticket is good for one login",
            "37", "set the clocks of the client's and of the master's machine");

    private final String principal;
    private final String realm;
    private final GSSManager manager = GSSManager.getInstance();
    private final GSSCredential credential;

    private KerberosService(String principal, GSSCredential credential) {
        this.principal = principal;
        this.realm = principal.substring(principal.indexOf('@') + 1);
        this.credential = credential;
    }

    /**
     * Remembers the messages that come from now on in a file, so that this process's next life knows them. For a process that is one
     * service and has taken none yet: a JVM has one memory. What its operator said about that holds.
     */
    public static void rememberIn(Path file) {
        if (System.getProperty(MEMORY) == null) {
            System.setProperty(MEMORY, "dfl:" + file.toAbsolutePath());
        }
    }

    /**
     * Returns the principal, if it is a service's.
     *
     * @throws IllegalArgumentException unless it is {@code NAME/HOST@REALM}
     */
    public static String checkPrincipal(String text) {
        if (!SERVICE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "expected NAME/HOST@REALM, such as packing/master.example.com@EXAMPLE.COM");
        }
        return text;
    }

    /**
     * A service with the keys of a keytab.
     *
     * @throws IllegalArgumentException when the keytab has no key of the principal
     */
    public static KerberosService open(String principal, Path keytab) {
        KerberosPrincipal own = new KerberosPrincipal(checkPrincipal(principal));
        KeyTab keys = KeyTab.getInstance(own, keytab.toFile());
        if (!Files.isReadable(keytab) || keys.getKeys(own).length == 0) {
            throw new IllegalArgumentException(
                    "bdt.kerberos.keytab: %s has no key of %s, or cannot be read".formatted(keytab, principal));
        }
        Subject subject = new Subject(false, Set.of(own), Set.of(), Set.of(keys));
        try {
            return new KerberosService(principal, Subject.doAs(subject, accepting(principal)));
        } catch (PrivilegedActionException e) {
            throw new IllegalArgumentException("cannot use %s of %s: %s".formatted(keytab, principal, e.getCause()), e);
        }
    }

    private static PrivilegedExceptionAction<GSSCredential> accepting(String principal) {
        GSSManager manager = GSSManager.getInstance();
        return () -> manager.createCredential(
                manager.createName(principal, PRINCIPAL_NAME),
                GSSCredential.INDEFINITE_LIFETIME,
                MECHANISM,
                GSSCredential.ACCEPT_ONLY);
    }

    /** The realm of the service. */
    public String realm() {
        return realm;
    }

    /**
     * Returns the principal that the ticket belongs to.
     *
     * @param ticket the first message of a GSS-API context
     */
    public String clientOf(byte[] ticket) throws RefusedLoginException {
        if (ticket.length == 0) {
            throw new RefusedLoginException("who are you? The login has no Kerberos ticket");
        }
        try {
            GSSContext context = manager.createContext(credential);
            try {
                byte[] unused = context.acceptSecContext(ticket, 0, ticket.length);
                if (!context.isEstablished()) {
                    throw new RefusedLoginException("the Kerberos login wants more than one message");
                }
                return context.getSrcName().toString();
            } finally {
                context.dispose();
            }
        } catch (GSSException | RuntimeException e) {
            // Also what the JVM throws at bytes that are no message.
            throw new RefusedLoginException(
                    "the Kerberos ticket for %s is refused: %s".formatted(principal, reason(e)), e);
        }
    }

    private static String reason(Exception e) {
        Throwable first = e;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String said = first.getMessage() == null ? "it is no ticket" : first.getMessage();
        Matcher code = CODE.matcher(said);
        String advice = code.find() ? WHAT_TO_DO.getOrDefault(code.group(1), "") : "";
        if (advice.isEmpty() && (said.contains("AP-REQ") || said.contains("Checksum"))) {
            advice = "it was made for another principal, or for a key that is not in the master's keytab";
        }
        return advice.isEmpty() ? said : "%s: %s".formatted(said, advice);
    }

    private static Oid oid(String text) {
        try {
            return new Oid(text);
        } catch (GSSException e) {
            throw new IllegalStateException(e);
        }
    }
}
