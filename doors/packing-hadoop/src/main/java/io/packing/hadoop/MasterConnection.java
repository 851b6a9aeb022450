// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.MountName;
import io.packing.transport.Security;
import io.packing.transport.tls.TlsFiles;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A connection to a BDT master, and the identity of this process there: the user's token, else the user's Kerberos
 * login, else the certificate or token of the options.
 */
record MasterConnection(GrpcBdts bdts, MountOptions options, Optional<KerberosLogin> login) implements AutoCloseable {
    /** @param user whose token and ticket are shown, if they have one */
    static MasterConnection open(String address, MountOptions configured, UserGroupInformation user)
            throws IOException {
        Security security = configured.security();
        Optional<String> token = DelegationToken.of(user, PackingHadoopFileSystem.SCHEME + "://" + address);
        if (token.isPresent()) {
            return open(address, configured.securedBy(security.onlyShowing(() -> token)), Optional.empty());
        }
        UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
        if (security.kerberos().isEmpty() || !real.hasKerberosCredentials()) {
            checkShown(security, real);
            return open(address, configured, Optional.empty());
        }
        KerberosLogin login = KerberosLogin.at(
                GrpcBdts.connect(
                        MountName.parse(address).masters(),
                        configured.timeouts().master(),
                        security.onlyShowing(Security.TokenSource.NONE)),
                new KerberosTickets(real, security.kerberos().get()),
                real.equals(user) ? "" : user.getShortUserName(),
                System::nanoTime,
                MasterConnection::beside);
        return open(address, configured.securedBy(security.onlyShowing(login)), Optional.of(login));
    }

    private static void checkShown(Security security, UserGroupInformation user) throws IOException {
        boolean another = security.token() != Security.TokenSource.NONE
                || security.tls().flatMap(TlsFiles::own).isPresent();
        if (security.kerberos().isPresent() && !another) {
            throw new IOException(
                    ("%s has neither a Kerberos ticket nor a token for this file system: log in (kinit, or a keytab), with"
                                    + " hadoop.security.authentication=kerberos in core-site.xml")
                            .formatted(user.getUserName()));
        }
    }

    private static MasterConnection open(String address, MountOptions options, Optional<KerberosLogin> login) {
        return new MasterConnection(
                GrpcBdts.connect(
                        MountName.parse(address).masters(), options.timeouts().master(), options.security()),
                options,
                login);
    }

    private static void beside(Runnable task) {
        Thread thread = new Thread(task, "packing-kerberos-login");
        thread.setDaemon(true);
        thread.start();
    }

    /** Issues a token for a job. */
    IssuedToken issue(String renewer) throws IOException {
        return login.isPresent() ? login.get().issue(renewer) : bdts.tokens().issue("", renewer);
    }

    @Override
    public void close() {
        bdts.close();
        login.ifPresent(KerberosLogin::close);
    }
}
