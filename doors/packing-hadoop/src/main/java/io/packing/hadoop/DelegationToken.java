// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * A token of a BDT master as Hadoop carries it. The identifier has its fields, the password its signature, and the
 * service the URI of the file system (docs/security.md has the bytes).
 */
final class DelegationToken {
    static final Text KIND = new Text("PACKING_DELEGATION_TOKEN");
    private static final int SIGNATURE_BYTES = 64;

    private DelegationToken() {}

    static Token<PackingTokenIdentifier> of(String text, String service) throws IOException {
        byte[] all = Base64.getUrlDecoder().decode(text);
        int said = all.length - SIGNATURE_BYTES;
        if (said <= 0) {
            throw new IOException("the BDT master issued a token of %d bytes".formatted(all.length));
        }
        return new Token<>(
                Arrays.copyOf(all, said), Arrays.copyOfRange(all, said, all.length), KIND, new Text(service));
    }

    /** As the BDT master wants it. */
    static String text(Token<?> token) {
        byte[] said = token.getIdentifier();
        byte[] all = Arrays.copyOf(said, said.length + token.getPassword().length);
        System.arraycopy(token.getPassword(), 0, all, said.length, token.getPassword().length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    /** Returns a user's token for a file system, if the user has one. */
    static Optional<String> of(UserGroupInformation user, String service) {
        return user.getTokens().stream()
                .filter(token -> token.getKind().equals(KIND)
                        && token.getService().toString().equals(service))
                .findFirst()
                .map(DelegationToken::text);
    }
}
