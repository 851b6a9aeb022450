package io.packing.encryption;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** Opens keystores of kinds that this module does not know; found by {@link java.util.ServiceLoader}. */
public interface KeystoreFactory {
    /** The keystore at a location; empty when locations of this kind are others'. */
    Optional<Keystore> open(URI location) throws IOException;
}
