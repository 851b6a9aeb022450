package io.packing.bdt.master;

import io.packing.bdt.master.rpc.ClientRates;
import io.packing.bdt.master.tokens.TokenTerms;
import io.packing.transport.Security;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The terms of access to a master, and its own credentials for stores.
 *
 * @param security of its connections
 * @param tokens that it issues, if the connections have TLS
 * @param permissions what those may do to files who are known
 * @param audit whether it tells who asks for what
 * @param storeCredentials file of those by which it opens stores itself
 * @param keystore of the keys of encrypted mounts
 * @param kerberos who logs in by it, and who acts for whom
 * @param rates how often each client may call
 */
public record MasterAccess(
        Security security,
        TokenTerms tokens,
        PermissionTerms permissions,
        boolean audit,
        Optional<Path> storeCredentials,
        KeystoreTerms keystore,
        KerberosTerms kerberos,
        ClientRates.Terms rates) {
    /** Open access, on loopback. */
    public static final MasterAccess OPEN = new MasterAccess(
            Security.NONE,
            TokenTerms.USUAL,
            PermissionTerms.USUAL,
            false,
            Optional.empty(),
            KeystoreTerms.NONE,
            KerberosTerms.NONE,
            ClientRates.Terms.NONE);

    /** Returns a copy with other rates. */
    public MasterAccess limiting(ClientRates.Terms other) {
        return new MasterAccess(security, tokens, permissions, audit, storeCredentials, keystore, kerberos, other);
    }
}
