// Prints DSS's findings on signed PDFs: ROOT.der[:ROOT.der] FILE...
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

public class Validate {
  public static void main(String[] given) throws Exception {
    CommonTrustedCertificateSource roots = new CommonTrustedCertificateSource();
    for (String root : given[0].split(":")) {
      roots.addCertificate(DSSUtils.loadCertificate(new File(root)));
    }
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(roots);
    for (int place = 1; place < given.length; place++) {
      SignedDocumentValidator validator =
          SignedDocumentValidator.fromDocument(new FileDocument(given[place]));
      validator.setCertificateVerifier(verifier);
      Reports reports = validator.validateDocument();
      SimpleReport report = reports.getSimpleReport();
      for (SignatureWrapper signature : reports.getDiagnosticData().getSignatures()) {
        String id = signature.getId();
        List<String> said = new ArrayList<>();
        for (Message message : report.getAdESValidationErrors(id)) said.add(message.getKey());
        for (Message message : report.getAdESValidationWarnings(id)) said.add(message.getKey());
        System.out.println(String.join(" ",
            new File(given[place]).getName(),
            String.valueOf(signature.getSignatureFormat()),
            signature.isSignatureIntact() && signature.isSignatureValid() ? "intact" : "broken",
            String.join(" ", said)));
      }
    }
  }
}
