package io.packing.bdt.master;

import io.packing.bdt.master.tokens.TokenTerms;
import io.packing.transport.Security;

/**
 * Who may call a master.
 *
 * @param security of its connections
 * @param tokens that it issues, if the connections have TLS
 * @param permissions what those may do to files who are known
 * @param audit whether it tells who asks for what
 */
public record MasterAccess(Security security, TokenTerms tokens, PermissionTerms permissions, boolean audit) {
    /** Everybody, on loopback. */
    public static final MasterAccess OPEN =
            new MasterAccess(Security.NONE, TokenTerms.USUAL, PermissionTerms.USUAL, false);
}
