package import RadioCore
extension RecorderSettings { package var stationID: String? { get { nil } set {} }; package var show: Sidecar.Show? { get { nil } set {} } }
