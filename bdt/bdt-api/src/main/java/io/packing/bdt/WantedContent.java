package io.packing.bdt;

import com.google.common.hash.HashCode;
import java.util.Optional;

/**
 * Bytes that a new file has, and that the mount may have already.
 *
 * @param sha256 of the bytes
 * @param user for whom the file is: only bytes that this user may read are shared; empty: for the worker itself
 */
public record WantedContent(HashCode sha256, Optional<BdtUser> user) {}
