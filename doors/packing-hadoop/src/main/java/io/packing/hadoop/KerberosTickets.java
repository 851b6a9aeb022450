// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.client.TokenClient;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.Locale;
import org.apache.hadoop.security.UserGroupInformation;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * A Hadoop user's tickets for masters.
 *
 * @param user a user with a Kerberos login
 * @param principal of the master, with {@code _HOST} for its host
 */
record KerberosTickets(UserGroupInformation user, String principal) implements TokenClient.Tickets {
    private static final String HOST = "_HOST";
    private static final String MECHANISM = "1.2.840.113554.1.2.2";
    private static final String PRINCIPAL_NAME = "1.2.840.113554.1.2.2.1";

    @Override
    public byte[] ticket(String host) throws IOException {
        String service = principal.replace(HOST, host.toLowerCase(Locale.ROOT));
        try {
            if (user.isFromKeytab()) {
                // Only if its own ticket is about to end.
                user.checkTGTAndReloginFromKeytab();
            }
            return user.doAs((PrivilegedExceptionAction<byte[]>) () -> message(service));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a Kerberos ticket was asked for", e);
        } catch (UndeclaredThrowableException e) {
            throw new IOException(
                    ("%s got no Kerberos ticket for %s: %s. Is the user logged in (kinit, or a keytab), and is that the master's"
                                    + " principal (packing.kerberos.principal)?")
                            .formatted(user.getUserName(), service, reason(e)),
                    e);
        }
    }

    private static byte[] message(String service) throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSName name = manager.createName(service, new Oid(PRINCIPAL_NAME));
        GSSContext context = manager.createContext(name, new Oid(MECHANISM), null, GSSContext.DEFAULT_LIFETIME);
        try {
            // TLS has proved the master's identity.
            context.requestMutualAuth(false);
            context.requestCredDeleg(false);
            return context.initSecContext(new byte[0], 0, 0);
        } finally {
            context.dispose();
        }
    }

    private static String reason(Throwable e) {
        Throwable first = e;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return String.valueOf(first.getMessage());
    }
}
