// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.rpc.ClientRates;
import io.packing.bdt.master.tokens.TokenOptions;
import io.packing.transport.Security;

/**
 * The terms of access to a master, and its own credentials for stores.
 *
 * @param security of its connections
 * @param tokens that it issues, if the connections have TLS
 * @param permissions what those may do to files who are known
 * @param audit whether it tells who asks for what
 * @param store by which it opens stores itself
 * @param keystore of the keys of encrypted mounts
 * @param kerberos who logs in by it, and who acts for whom
 * @param rates how often each client may call
 */
public record AccessOptions(
        Security security,
        TokenOptions tokens,
        PermissionOptions permissions,
        boolean audit,
        StoreAccess store,
        KeystoreOptions keystore,
        KerberosOptions kerberos,
        ClientRates.RateLimits rates) {
    /** Open access, on loopback. */
    public static final AccessOptions OPEN = new AccessOptions(
            Security.NONE,
            TokenOptions.USUAL,
            PermissionOptions.USUAL,
            false,
            StoreAccess.NONE,
            KeystoreOptions.NONE,
            KerberosOptions.NONE,
            ClientRates.RateLimits.NONE);

    /** Returns a copy with other rates. */
    public AccessOptions limiting(ClientRates.RateLimits other) {
        return new AccessOptions(security, tokens, permissions, audit, store, keystore, kerberos, other);
    }
}
