// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** An opener of keystores of kinds that this module does not know; {@link java.util.ServiceLoader} finds it. */
public interface KeystoreFactory {
    /** Opens the keystore at a location; empty for a kind that it does not know. */
    Optional<Keystore> open(URI location) throws IOException;
}
