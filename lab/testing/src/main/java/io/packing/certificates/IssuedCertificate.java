// SPDX-License-Identifier: Apache-2.0
package io.packing.certificates;

import java.nio.file.Path;

/** The PEM files of a certificate and of its private key. */
public record IssuedCertificate(Path certificate, Path key) {}
