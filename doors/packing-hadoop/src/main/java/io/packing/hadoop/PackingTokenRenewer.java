// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenRenewer;

/**
 * Renews and cancels tokens of BDT masters for Hadoop, such as YARN's resource manager, which finds this class by the kind of the
 * token. The process shows its Kerberos ticket, or the certificate of its own configuration; its user has to be the token's renewer.
 */
public final class PackingTokenRenewer extends TokenRenewer {
    @Override
    public boolean handleKind(Text kind) {
        return DelegationToken.KIND.equals(kind);
    }

    @Override
    public boolean isManaged(Token<?> token) {
        return true;
    }

    @Override
    public long renew(Token<?> token, Configuration configuration) throws IOException {
        try (MasterConnection master = master(token, configuration)) {
            return master.bdts().tokens().renew(DelegationToken.text(token)).toEpochMilli();
        }
    }

    @Override
    public void cancel(Token<?> token, Configuration configuration) throws IOException {
        try (MasterConnection master = master(token, configuration)) {
            master.bdts().tokens().cancel(DelegationToken.text(token));
        }
    }

    private static MasterConnection master(Token<?> token, Configuration configuration) throws IOException {
        String service = token.getService().toString();
        String authority = URI.create(service).getAuthority();
        if (authority == null) {
            throw new IOException("the token's service '%s' is not packing://HOST:PORT".formatted(service));
        }
        return MountConnection.master(authority, configuration, UserGroupInformation.getCurrentUser());
    }
}
